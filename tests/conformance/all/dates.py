"""What all/dates.sh needs: make N TRUTH prints the records of N generated sites with imports, scheduled posts, drafts, back-dated and re-dated
posts; score TRUTH LINES compares with the lines of wp-diff --dates."""

import collections
import datetime
import json
import random
import sys


def iso(day):
    return (datetime.datetime(2012, 1, 1) + datetime.timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Site:
    """Posts are [id, date, modified], in the order in which they were made."""

    def __init__(self, seed):
        self.random, self.name = random.Random(seed), f"s{seed}"
        self.posts, self.files, self.comments, self.links, self.truth = [], [], [], {}, {}
        self.write()
        plain = [post for post in self.posts if self.truth[post[0]] == "plain"]
        self.random.shuffle(plain)
        self.end = self.posts[-1][1]
        take = lambda least, most: [plain.pop() for _ in range(self.random.randint(least, most))]
        uniform = self.random.uniform
        for post in take(3, 8):
            date = post[1] - uniform(20, 900)
            # Inserted with that date, or given it by an edit.
            post[2] = date if self.random.random() < 0.5 else post[1]
            post[1], self.truth[post[0]] = date, "back-dated"
        for post in take(3, 6):
            post[2], post[1], self.truth[post[0]] = post[1], post[1] + uniform(2, 40), "scheduled"
        for post in take(3, 8):
            self.redate(post, uniform(10, 300), "draft")
        for post in take(2, 5):
            self.redate(post, uniform(60, 700), "re-dated, no witness")
        for post in take(3, 8):
            self.witness(post, plain)
        for post in plain:
            if self.random.random() < 0.3:
                post[2] = min(self.end, post[1] + uniform(0, 400))
            if self.random.random() < 0.4:
                self.comments.append((post[0], post[1] + uniform(0.1, 100)))
            earlier = [other for other in self.posts if other[1] < post[1] - 1 and self.truth[other[0]] == "plain"]
            if earlier and self.random.random() < 0.3:
                self.links.setdefault(post[0], []).append(self.random.choice(earlier)[0])

    def write(self):
        count, day, number = self.random.randint(150, 400), 0.0, 10
        imported_at = self.random.randint(40, count - 10)
        for at in range(count):
            day += self.random.expovariate(1 / 6)
            number += self.random.randint(1, 4)
            if at == imported_at:
                date = -self.random.uniform(300, 2000)
                for _ in range(self.random.randint(8, 60)):
                    number += 1
                    date = min(date + self.random.expovariate(1 / 9), day - 5)
                    self.posts.append([number, date, date])
                    self.truth[number] = "import"
            number += 1
            self.posts.append([number, day, day])
            self.truth[number] = "plain"
            if self.random.random() < 0.3:
                number += 1
                self.files.append((number, day + 0.05))

    def redate(self, post, days, what):
        post[1] = post[2] = min(self.end, post[1] + days)
        self.truth[post[0]] = what

    def witness(self, post, plain):
        """Re-dated forward, with a comment or a link from before."""
        old = post[1]
        self.redate(post, self.random.uniform(60, 700), "re-dated, witness")
        if post[1] - old < 30:
            self.truth[post[0]] = "plain"
            return
        linking = [other for other in plain if old + 1 < max(other[1:]) < post[1] - 3]
        if linking and self.random.random() < 0.4:
            self.links.setdefault(self.random.choice(linking)[0], []).append(post[0])
        else:
            self.comments.append((post[0], old + self.random.uniform(0.5, 20)))

    def records(self):
        def record(kind, number, date, modified, **more):
            link = f"https://{self.name}.example/{kind}/{number}/"
            dates = {"date_gmt": iso(date), "modified_gmt": iso(modified)}
            return {"site": self.name, "kind": kind, "type": kind, "id": number, "link": link, **dates, **more}

        for number, date, modified in self.posts:
            targets = [{"href": "x", "target": {"type": "post", "id": other, "link": "x"}} for other in self.links.get(number, ())]
            yield record("post", number, date, modified, links=targets)
        for number, date in self.files:
            yield record("media", number, date, date)
        for number, (post, date) in enumerate(self.comments, 1):
            yield record("comment", number, date, date, post=post)


def make(count, truth):
    sites = [Site(seed) for seed in range(int(count))]
    for site in sites:
        for record in site.records():
            print(json.dumps(record))
    json.dump({site.name: site.truth for site in sites}, open(truth, "w"))
    return True


def score(truth, lines):
    said = {}
    for line in map(json.loads, open(lines)):
        said[line["site"], str(line["id"])] = line["looks_like"] or "odd"
    counts = collections.Counter()
    for name, posts in json.load(open(truth)).items():
        counts.update((what, said.get((name, number), "no line")) for number, what in posts.items())
    for (what, line), n in sorted(counts.items()):
        print(f"{what:22} {line:10} {n}")
    odd = ("back-dated", "re-dated, witness")
    right = sum(n for (what, line), n in counts.items() if what in odd and line == "odd")
    precision = right / sum(n for (_, line), n in counts.items() if line == "odd")
    recall = right / sum(n for (what, _), n in counts.items() if what in odd)
    print(f"odd dates: precision {precision:.3f}, recall {recall:.3f}")
    return precision >= 0.98 and recall >= 0.9


if __name__ == "__main__":
    sys.exit(0 if {"make": make, "score": score}[sys.argv[1]](*sys.argv[2:]) else 1)
