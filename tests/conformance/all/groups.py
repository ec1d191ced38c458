"""What all/groups.sh needs: generate FAMILIES writes five versions of each of so many texts; check MARKED compares the groups of wp-groups with
those by exact Jaccard indices of 5-word shingles, and datasketch's with the same."""
import collections
import itertools
import json
import random
import re
import sys

THRESHOLD = 0.8
# Letters and digits make words. Texts in scripts without spaces, of which pairs of characters do, are not scored.
WORD = re.compile(r"[^\W_]+")
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def generate(families):
    chance = random.Random(7)
    vocabulary = ["".join(chance.choices("aeioulnrstdmkpg\u00e9\u00fc", k=chance.randint(2, 9))) for _ in range(20000)]
    number = 0
    for family in range(int(families)):
        words = chance.choices(vocabulary, k=chance.randint(20, 200))
        for version in range(5):
            # Words are replaced here and there, and a part at the end, so that all similarities from .4 to 1 occur.
            rate, cut = chance.choice([0, 0, 0.005, 0.01, 0.02, 0.05]), chance.choice([0, 0, 0, 0.05, 0.1, 0.3])
            text = [chance.choice(vocabulary) if chance.random() < rate else word for word in words]
            keep = len(text) - int(cut * len(text))
            text[keep:] = chance.choices(vocabulary, k=len(text) - keep)
            number += 1
            print(json.dumps({"site": f"s{version}", "kind": "post", "type": "post", "id": number, "link": "", "content": {"text": " ".join(text)}}))


def shingles(text):
    if UNSPACED.search(text):
        return None
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + 5]) for at in range(len(words) - 4)}


def exact_pairs(texts):
    """The pairs of texts with a common shingle, and their Jaccard indices."""
    import numpy

    hashes = numpy.concatenate([numpy.fromiter(map(hash, one), numpy.int64, len(one)) for one in texts])
    owners = numpy.repeat(numpy.arange(len(texts)), [len(one) for one in texts])
    order = numpy.argsort(hashes, kind="stable")
    hashes, owners = hashes[order], owners[order]
    starts = numpy.flatnonzero(numpy.r_[True, hashes[1:] != hashes[:-1]])
    pairs = set()
    for start, end in zip(starts, [*starts[1:], len(hashes)]):
        # What is in more than 300 texts is a frame; texts that are near share other shingles, too.
        if 1 < end - start <= 300:
            pairs.update(itertools.combinations(owners[start:end].tolist(), 2))
    return {(a, b): len(texts[a] & texts[b]) / len(texts[a] | texts[b]) for a, b in pairs}


def together(count, pairs):
    """The pairs of those that the given pairs connect."""
    first = list(range(count))

    def find(one):
        while first[one] != one:
            first[one] = one = first[first[one]]
        return one

    for a, b in pairs:
        first[find(a)] = find(b)
    groups = collections.defaultdict(list)
    for one in range(count):
        groups[find(one)].append(one)
    return {pair for group in groups.values() for pair in itertools.combinations(group, 2)}


def datasketch_pairs(texts):
    from datasketch import MinHash, MinHashLSH

    index, signatures = MinHashLSH(params=(25, 5), num_perm=128), []
    for number, one in enumerate(texts):
        signature = MinHash(num_perm=128)
        signature.update_batch([shingle.encode() for shingle in one])
        for other in index.query(signature):
            if signature.jaccard(signatures[other]) >= THRESHOLD:
                yield other, number
        index.insert(number, signature)
        signatures.append(signature)


def check(path):
    texts, groups = [], []
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        one = shingles((record.get("content") or {}).get("text") or "")
        if one:
            texts.append(one)
            groups.append(record["duplicate_group"])
    exact = exact_pairs(texts)
    want = together(len(texts), (pair for pair, share in exact.items() if share >= THRESHOLD))
    named = collections.defaultdict(list)
    for number, group in enumerate(groups):
        named[group].append(number)
    named.pop(None, None)
    ours = {pair for group in named.values() for pair in itertools.combinations(group, 2)}
    theirs = together(len(texts), datasketch_pairs(texts))
    scores = {}
    for name, got in (("wp-groups", ours), ("datasketch", theirs)):
        right = len(got & want)
        clearly = sum(exact.get(pair, 0) >= THRESHOLD - 0.1 for pair in got)
        sure = [pair for pair, share in exact.items() if share >= THRESHOLD + 0.1]
        scores[name] = right / max(1, len(got)), right / max(1, len(want)), sum(pair in got for pair in sure) / max(1, len(sure)), clearly / max(1, len(got))
        print(f"{name}: {len(texts)} texts, {len(want)} pairs: precision {scores[name][0]:.4f}, recall {scores[name][1]:.4f};",
              f"found {scores[name][2]:.4f} of the pairs above .9; {scores[name][3]:.4f} of those found are above .7")
    # No worse than datasketch, but for chance; and nothing that is clear is missed.
    for ours, theirs in zip(scores["wp-groups"], scores["datasketch"]):
        assert ours >= theirs - 0.02
    assert scores["wp-groups"][2] >= 0.99


{"generate": generate, "check": check}[sys.argv[1]](*sys.argv[2:])
