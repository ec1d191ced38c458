use super::growing::{KEPT_BACK, KEPT_BACK_IN_ALL};
use super::ownership::names_in;
use super::*;
use crate::digest::hex;
use std::collections::BTreeMap;
use std::io::Read;

fn put(folder: Folder, report: &mut Report) -> Result<(), Error> {
    folder.prepare("jsonl", &Tally::default())?.put_in_place(report)
}

fn commit(folder: Folder) -> Result<(), Error> {
    put(folder, &mut Report::silent("wp-test"))
}

/// The messages that are reported while `act` runs.
fn messages(act: impl FnOnce(&mut Report)) -> String {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut report = Report::new("wp-test", Box::new(writer));
    act(&mut report);
    drop(report);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    text
}

fn messages_of(folder: Folder) -> String {
    messages(|report| put(folder, report).unwrap())
}

fn try_open(path: &Path, compression: Option<Compression>) -> Result<Folder, Error> {
    Folder::open(path, "jsonl", compression, |_, _| None, &mut Report::silent("wp-test"))
}

fn open(path: &Path) -> Folder {
    try_open(path, None).unwrap()
}

#[test]
fn nothing_is_seen_before_commit_and_nothing_is_left_without_it() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a/b");
    let mut folder = open(&path);
    let posts = folder.create("posts.jsonl", Some("post"), Some("post")).unwrap();
    folder.append(posts, &vec![b'x'; 2 * KEPT_BACK], 1).unwrap();
    assert_eq!(names_in(&path).unwrap(), [hidden::NAME]);
    drop(folder);
    assert!(!path.exists());
}

#[test]
fn the_manifest_states_records_bytes_and_hashes() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    let posts = folder.create("posts.jsonl", Some("post"), Some("post")).unwrap();
    folder.create("pages.jsonl", Some("post"), Some("page")).unwrap();
    folder.append(posts, b"ab", 1).unwrap();
    folder.append(posts, b"c", 1).unwrap();
    commit(folder).unwrap();
    assert_eq!(names_in(top.path()).unwrap(), [names::MANIFEST, "pages.jsonl", "posts.jsonl"]);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(top.path().join(names::MANIFEST)).unwrap()).unwrap();
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        manifest["files"][0],
        serde_json::json!({"name":"posts.jsonl","kind":"post","type":"post","records":2,"bytes":3,"sha256":sum})
    );
    assert_eq!(manifest["files"][1]["bytes"], 0);
}

#[test]
fn the_old_datasets_files_go_at_the_end_and_foreign_ones_stay() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    folder.create("old.jsonl", Some("post"), Some("old")).unwrap();
    commit(folder).unwrap();
    fs::write(top.path().join("notes.txt"), "mine").unwrap();
    let folder = open(top.path());
    assert_eq!(names_in(top.path()).unwrap(), [hidden::NAME, names::MANIFEST, "notes.txt", "old.jsonl"]);
    drop(folder);
    assert_eq!(names_in(top.path()).unwrap(), [names::MANIFEST, "notes.txt", "old.jsonl"]);
    assert!(messages_of(open(top.path())).contains("notes.txt: not of this dataset"));
    assert_eq!(names_in(top.path()).unwrap(), [names::MANIFEST, "notes.txt"]);
}

#[test]
fn a_file_of_somebody_else_in_the_place_of_ours_is_an_error_before_anything_is_written() {
    let top = tempfile::tempdir().unwrap();
    fs::write(top.path().join("posts.jsonl"), "mine").unwrap();
    let mut folder = open(top.path());
    let error = folder.create("posts.jsonl", Some("post"), Some("post")).unwrap_err().to_string();
    assert!(error.contains("posts.jsonl: exists, and no manifest.json says that wp-export wrote it"), "{error}");
    assert!(folder.write_document("posts.jsonl", b"").is_err());
    // A foreign file that appears later is an error only at the end.
    folder.create("pages.jsonl", Some("post"), Some("page")).unwrap();
    fs::write(top.path().join("pages.jsonl"), "mine too").unwrap();
    assert!(commit(folder).is_err());
    assert_eq!(names_in(top.path()).unwrap(), ["pages.jsonl", "posts.jsonl"]);
    assert_eq!(fs::read(top.path().join("pages.jsonl")).unwrap(), b"mine too");
}

#[test]
fn a_second_run_is_refused_while_the_first_one_writes() {
    let top = tempfile::tempdir().unwrap();
    let first = open(top.path());
    let error = try_open(top.path(), None).err().unwrap().to_string();
    assert!(error.contains("another wp-export is writing to this folder"), "{error}");
    commit(first).unwrap();
    commit(open(top.path())).unwrap();
    assert_eq!(names_in(top.path()).unwrap(), [names::MANIFEST]);
}

#[test]
fn another_format_is_named_before_it_is_replaced() {
    let top = tempfile::tempdir().unwrap();
    commit(open(top.path())).unwrap();
    let open = |format| messages(|report| drop(Folder::open(top.path(), format, None, |_, _| None, report).unwrap()));
    assert!(open("csv").contains("holds a dataset of the format jsonl, which csv will replace"));
    assert_eq!(open("jsonl"), "");
}

/// Two datasets in one folder: names that both have, names that one has, and a file where the other has a folder.
const OLD: [(&str, &str); 6] =
    [("both", "1"), ("a/both", "2"), ("a/old", "3"), ("old/x/y", "4"), ("turn", "5"), ("nrut/z", "6")];
const NEW: [(&str, &str); 6] =
    [("both", "7"), ("a/both", "8"), ("a/b/new", "9"), ("new/y", "10"), ("turn/z", "11"), ("nrut", "12")];

fn write(path: &Path, files: &[(&str, &str)]) -> Result<(), Error> {
    let mut folder = try_open(path, None)?;
    for (name, text) in files {
        folder.write_file(name, (None, None), text.as_bytes(), 1)?;
    }
    commit(folder)
}

/// All files below a folder.
fn tree(path: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for name in names_in(path).unwrap() {
        let place = path.join(&name);
        match place.is_dir() {
            true => found.extend(tree(&place).into_iter().map(|(below, text)| (format!("{name}/{below}"), text))),
            false => _ = found.insert(name, fs::read_to_string(place).unwrap()),
        }
    }
    found
}

/// The dataset that is whole and in its place, by its manifest; `None` without a manifest.
fn whole(path: &Path) -> Option<&'static str> {
    let found = tree(path);
    let json = found.get(names::MANIFEST)?;
    let holds = |files: &[(&str, &str)]| files.iter().all(|(name, text)| found.get(*name).is_some_and(|t| t == text));
    let listed = manifest::listed(json.as_bytes()).unwrap().names;
    let (which, files) = if listed.iter().any(|name| name == "a/old") { ("old", OLD) } else { ("new", NEW) };
    assert!(holds(&files), "the {which} dataset has its manifest, but not its files: {found:?}");
    Some(which)
}

/// A folder within a folder. A file with the other dataset's name prevents an exchange.
fn place(top: &Path, can_exchange: bool) -> PathBuf {
    if !can_exchange {
        fs::write(top.join(".ds.wp-export"), "").unwrap();
    }
    let path = top.join("ds");
    fs::create_dir(&path).unwrap();
    path
}

/// Foreign files, in the dataset's folders and in foreign ones.
const OTHERS: [(&str, &str); 4] = [("mine", "a"), ("a/mine", "b"), ("old/x/mine", "c"), ("others/mine", "d")];

fn has_others(path: &Path) -> bool {
    OTHERS.iter().all(|(name, text)| fs::read_to_string(path.join(name)).is_ok_and(|found| found == *text))
}

/// The outcomes of runs that were killed after every possible number of changes, each finished by the next run: which
/// dataset was whole before that run, and after it.
fn killed_anywhere(can_exchange: bool) -> BTreeMap<(Option<&'static str>, &'static str), u32> {
    let mut seen = BTreeMap::new();
    for changes in 0..90 {
        let top = tempfile::tempdir().unwrap();
        let path = place(top.path(), can_exchange);
        write(&path, &OLD).unwrap();
        for (name, text) in OTHERS {
            fs::create_dir_all(path.join(name).parent().unwrap()).unwrap();
            fs::write(path.join(name), text).unwrap();
        }
        changes::allow(changes, u32::MAX);
        drop(write(&path, &NEW));
        changes::allow(u32::MAX, 0);
        assert!(has_others(&path), "{changes}");
        let after = whole(&path);
        // The next run writes no dataset; whichever one it finds must be whole after it.
        drop(open(&path));
        let found = tree(&path);
        let now = whole(&path).expect("one of the two is whole");
        assert!(found.len() == 6 + 1 + OTHERS.len() && has_others(&path), "{changes}: {found:?}");
        assert!(after.is_none_or(|before| before == now || before == "old"), "{changes}: {after:?} {now}");
        assert_eq!(names_in(top.path()).unwrap().len(), 2 - usize::from(can_exchange), "{changes}");
        *seen.entry((after, now)).or_insert(0) += 1;
    }
    seen
}

#[test]
fn a_run_killed_anywhere_leaves_one_dataset_whole_if_names_can_be_exchanged() {
    let seen = killed_anywhere(true);
    assert!(seen[&(Some("old"), "old")] >= 8 && seen[&(Some("new"), "new")] >= 12 && seen.len() == 2, "{seen:?}");
}

#[test]
fn a_run_that_is_killed_anywhere_is_finished_by_the_next() {
    let seen = killed_anywhere(false);
    // Killed before the decision, between the two manifests, and after the second one.
    for (state, least) in [((Some("old"), "old"), 3), ((None, "new"), 10), ((Some("new"), "new"), 3)] {
        assert!(seen.get(&state).is_some_and(|&n| n >= least), "{state:?} {seen:?}");
    }
}

#[test]
fn a_change_that_fails_anywhere_is_taken_back() {
    for (can_exchange, least) in [(true, 0), (false, 10)] {
        let mut failed = 0;
        for changes in 0..80 {
            let top = tempfile::tempdir().unwrap();
            let path = place(top.path(), can_exchange);
            fs::create_dir_all(path.join("kept/empty")).unwrap();
            write(&path, &OLD).unwrap();
            let before = tree(&path);
            let mut folder = open(&path);
            for (name, text) in NEW {
                folder.write_file(name, (None, None), text.as_bytes(), 1).unwrap();
            }
            changes::allow(changes, 1);
            let outcome = commit(folder);
            changes::allow(u32::MAX, 0);
            assert!(path.join("kept/empty").exists());
            assert!(!path.join(hidden::NAME).join("new.json").exists(), "{changes}: {outcome:?}");
            match outcome {
                Err(_) => assert_eq!(tree(&path), before, "{changes}"),
                Ok(()) => assert_eq!(whole(&path), Some("new"), "{changes}"),
            }
            failed += u32::from(outcome.is_err());
        }
        assert!(failed >= least, "{failed}");
    }
}

#[test]
fn foreign_files_are_given_back_from_what_a_killed_run_left_beside_a_folder() {
    let top = tempfile::tempdir().unwrap();
    let path = place(top.path(), true);
    write(&path, &NEW).unwrap();
    let beside = top.path().join(".ds.wp-export");
    write(&beside, &OLD).unwrap();
    fs::create_dir(beside.join("late")).unwrap();
    for (place, text) in [(&beside, "theirs"), (&path, "ours")] {
        fs::write(place.join("both of them"), text).unwrap();
    }
    fs::write(beside.join("late/file"), "late").unwrap();
    let said = messages(|report| drop(Folder::open(&path, "jsonl", None, |_, _| None, report).unwrap()));
    assert!(said.contains(".ds.wp-export: "), "{said}");
    assert_eq!(names_in(&beside).unwrap(), ["both of them"]);
    assert_eq!(fs::read_to_string(path.join("late/file")).unwrap(), "late");
    assert_eq!((whole(&path), fs::read_to_string(path.join("both of them")).unwrap()), (Some("new"), "ours".into()));
}

#[test]
fn another_programs_manifest_is_not_touched() {
    let top = tempfile::tempdir().unwrap();
    let place = top.path().join(names::MANIFEST);
    fs::write(&place, "{\"name\":\"an app\"}").unwrap();
    assert!(try_open(top.path(), None).is_err_and(|e| e.to_string().contains("not written by wp-export")));
    assert!(place.exists());
}

#[test]
fn a_manifest_cannot_make_us_remove_files_elsewhere() {
    let top = tempfile::tempdir().unwrap();
    let data = top.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(top.path().join("precious"), "").unwrap();
    fs::write(data.join(names::MANIFEST), "{\"program\":\"wp-export\",\"files\":[{\"name\":\"../precious\"}]}")
        .unwrap();
    commit(open(&data)).unwrap();
    assert!(top.path().join("precious").exists());
}

#[test]
fn names_clash_whatever_their_case() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    folder.create("Book.jsonl", Some("post"), Some("Book")).unwrap();
    let error = folder.create("book.jsonl", Some("post"), Some("book")).unwrap_err().to_string();
    assert!(error.contains("book.jsonl (post book) would clash with Book.jsonl (post Book)"), "{error}");
}

#[test]
fn a_folder_where_a_file_should_be_is_an_error() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir(top.path().join("b.jsonl")).unwrap();
    let mut folder = open(top.path());
    folder.create("a.jsonl", Some("post"), Some("a")).unwrap();
    let error = folder.create("b.jsonl", Some("post"), Some("b")).unwrap_err().to_string();
    assert!(error.contains("b.jsonl: is a directory"), "{error}");
}

#[test]
fn a_file_in_place_of_the_folder_is_an_error() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(try_open(&path, None).is_err_and(|e| e.to_string().contains("file: not a directory")));
    assert!(try_open(&path.join("below"), None).is_err());
}

#[test]
fn hashes_of_compressed_files_are_those_of_the_bytes_on_the_disk() {
    for (compression, name) in [(Compression::Gzip, "a.jsonl.gz"), (Compression::Zstd, "a.jsonl.zst")] {
        let top = tempfile::tempdir().unwrap();
        let mut folder = try_open(top.path(), Some(compression)).unwrap();
        let a = folder.create("a.jsonl", Some("post"), Some("a")).unwrap();
        let text: String = (0..200_000).map(|i| format!("{}\n", i * 7919)).collect();
        folder.append(a, text.as_bytes(), 200_000).unwrap();
        commit(folder).unwrap();
        let bytes = fs::read(top.path().join(name)).unwrap();
        let json = fs::read_to_string(top.path().join(names::MANIFEST)).unwrap();
        assert!(json.contains(&hex(&Sha256::digest(&bytes))) && json.contains(&format!("\"bytes\": {}", bytes.len())));
        let mut out = String::new();
        let reader = crate::ndjson::decompress(crate::ndjson::Reader::new(io::Cursor::new(bytes))).unwrap();
        io::BufReader::new(reader).read_to_string(&mut out).unwrap();
        assert!(out == text);
    }
}

#[test]
fn files_in_folders_appear_together_and_go_with_their_folders() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    let links = folder.create("a/links.csv", None, None).unwrap();
    for n in [3, 1, 2] {
        folder.write_file(&format!("a/en/post-{n}.txt"), (Some("post"), Some("post")), b"abc", 1).unwrap();
    }
    folder.append(links, b"x", 4).unwrap();
    assert_eq!(names_in(top.path()).unwrap(), [hidden::NAME]);
    commit(folder).unwrap();
    let json = fs::read(top.path().join(names::MANIFEST)).unwrap();
    let names = ["a/links.csv", "a/en/post-1.txt", "a/en/post-2.txt", "a/en/post-3.txt"];
    assert_eq!(manifest::listed(&json).unwrap().names, names);
    assert!(names.iter().all(|name| top.path().join(name).is_file()));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["files"][0]["kind"], &json["files"][0]["records"]), (&serde_json::Value::Null, &4.into()));
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!((&json["files"][1]["sha256"], &json["files"][1]["bytes"]), (&sum.into(), &3.into()));
    fs::write(top.path().join("a/mine"), "").unwrap();
    let said = messages_of(open(top.path()));
    assert!(said.contains("/a: not of this dataset") && said.lines().count() == 1, "{said}");
    assert_eq!(names_in(&top.path().join("a")).unwrap(), ["mine"]);
}

#[test]
fn foreign_files_in_folders_are_named_and_folders_of_others_stay() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("a/b")).unwrap();
    fs::write(top.path().join("a/b/mine"), "").unwrap();
    let mut folder = open(top.path());
    folder.write_file("a/b/c", (None, None), b"", 0).unwrap();
    let said = messages_of(folder);
    assert!(said.contains("a/b/mine: not of this dataset, left as it is"), "{said}");
    assert_eq!(said.lines().count(), 1);
    commit(open(top.path())).unwrap();
    assert_eq!(names_in(&top.path().join("a/b")).unwrap(), ["mine"]);
}

#[test]
fn a_manifest_that_cannot_be_read_to_an_end_is_an_error() {
    let top = tempfile::tempdir().unwrap();
    let place = top.path().join(names::MANIFEST);
    for make in ["mkfifo \"$0\"", "ln -s /dev/zero \"$0\""] {
        assert!(std::process::Command::new("sh").args(["-c", make]).arg(&place).status().unwrap().success());
        assert!(try_open(top.path(), None).is_err_and(|e| e.to_string().contains("manifest.json: not a regular file")));
        fs::remove_file(&place).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn no_file_beyond_a_symbolic_link_is_written_or_removed() {
    let top = tempfile::tempdir().unwrap();
    let [data, other] = ["data", "other"].map(|name| top.path().join(name));
    fs::create_dir(&data).unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("precious"), "").unwrap();
    std::os::unix::fs::symlink(&other, data.join("a")).unwrap();
    let manifest = "{\"program\":\"wp-export\",\"files\":[{\"name\":\"a/precious\"}]}";
    fs::write(data.join(names::MANIFEST), manifest).unwrap();
    let mut folder = open(&data);
    folder.write_file("a/new", (None, None), b"", 0).unwrap();
    assert!(commit(folder).is_err_and(|e| e.to_string().contains("a: not a directory")));
    assert_eq!(names_in(&other).unwrap(), ["precious"]);
}

#[test]
fn whole_files_clash_with_growing_ones_too_and_are_compressed() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = try_open(top.path(), Some(Compression::Gzip)).unwrap();
    folder.create("a/b", None, None).unwrap();
    let error = folder.write_file("A/B", (Some("post"), Some("x")), b"", 0).unwrap_err().to_string();
    assert!(error.contains("A/B.gz (post x) would clash with a/b.gz"), "{error}");
    folder.write_file("c", (None, None), b"text", 1).unwrap();
    commit(folder).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&fs::read(top.path().join("c.gz")).unwrap()[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, "text");
}

#[test]
fn more_types_than_open_files_allowed() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    for i in 0..2000 {
        let number = folder.create(&format!("t{i}.jsonl"), Some("post"), Some(&format!("t{i}"))).unwrap();
        folder.append(number, &[b'x'; 8192], 1).unwrap();
    }
    assert!(folder.growing.kept_back < KEPT_BACK_IN_ALL);
    commit(folder).unwrap();
    assert_eq!(names_in(top.path()).unwrap().len(), 2001);
}
