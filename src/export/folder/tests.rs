use super::placing::names_in;
use super::*;
use crate::export::manifest::hex;
use std::io::Read;

fn commit(folder: Folder) -> Result<(), Error> {
    folder.commit("jsonl", &Tally::default(), &mut Report::silent("wp-test"))
}

fn messages(folder: Folder) -> String {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut report = Report::new("wp-test", Box::new(writer));
    folder.commit("jsonl", &Tally::default(), &mut report).unwrap();
    drop(report);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    text
}

fn open(path: &Path) -> Folder {
    Folder::open(path, None, |_, _| false).unwrap()
}

#[test]
fn nothing_is_seen_before_commit_and_nothing_is_left_without_it() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a/b");
    let mut folder = open(&path);
    let posts = folder.create("posts.jsonl", Some("post"), Some("post")).unwrap();
    folder.append(posts, &vec![b'x'; 2 * KEPT_BACK], 1).unwrap();
    assert!(names_in(&path).unwrap().iter().all(|name| name.starts_with(STAGING)));
    drop(folder);
    assert!(names_in(&path).unwrap().is_empty());
}

#[test]
fn the_manifest_tells_records_bytes_and_sums() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    let posts = folder.create("posts.jsonl", Some("post"), Some("post")).unwrap();
    folder.create("pages.jsonl", Some("post"), Some("page")).unwrap();
    folder.append(posts, b"ab", 1).unwrap();
    folder.append(posts, b"c", 1).unwrap();
    commit(folder).unwrap();
    assert_eq!(names_in(top.path()).unwrap(), [manifest::NAME, "pages.jsonl", "posts.jsonl"]);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(top.path().join(manifest::NAME)).unwrap()).unwrap();
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        manifest["files"][0],
        serde_json::json!({"name":"posts.jsonl","kind":"post","type":"post","records":2,"bytes":3,"sha256":sum})
    );
    assert_eq!(manifest["files"][1]["bytes"], 0);
}

#[test]
fn the_old_datasets_files_go_and_foreign_ones_stay() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    folder.create("old.jsonl", Some("post"), Some("old")).unwrap();
    commit(folder).unwrap();
    fs::write(top.path().join("notes.txt"), "mine").unwrap();
    let folder = open(top.path());
    assert!(!top.path().join("old.jsonl").exists());
    assert!(!top.path().join(manifest::NAME).exists());
    assert!(messages(folder).contains("notes.txt: not of this dataset"));
    assert_eq!(names_in(top.path()).unwrap(), [manifest::NAME, "notes.txt"]);
}

#[test]
fn a_file_that_a_killed_run_put_in_place_is_replaced() {
    let top = tempfile::tempdir().unwrap();
    fs::write(top.path().join("posts.jsonl"), "old").unwrap();
    fs::create_dir(top.path().join(".wp-export.killed")).unwrap();
    let mut folder = open(top.path());
    folder.create("posts.jsonl", Some("post"), Some("post")).unwrap();
    assert!(messages(folder).contains("posts.jsonl: existed without a manifest, replaced"));
    assert_eq!(names_in(top.path()).unwrap(), [manifest::NAME, "posts.jsonl"]);
    assert_eq!(fs::read(top.path().join("posts.jsonl")).unwrap(), b"");
}

#[test]
fn another_programs_manifest_is_not_touched() {
    let top = tempfile::tempdir().unwrap();
    let place = top.path().join(manifest::NAME);
    fs::write(&place, "{\"name\":\"an app\"}").unwrap();
    assert!(
        Folder::open(top.path(), None, |_, _| false).is_err_and(|e| e.to_string().contains("not written by wp-export"))
    );
    assert!(place.exists());
}

#[test]
fn a_manifest_cannot_make_us_remove_files_elsewhere() {
    let top = tempfile::tempdir().unwrap();
    let data = top.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(top.path().join("precious"), "").unwrap();
    fs::write(data.join(manifest::NAME), "{\"program\":\"wp-export\",\"files\":[{\"name\":\"../precious\"}]}").unwrap();
    open(&data);
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
fn a_folder_where_a_file_should_be_is_trouble_and_leaves_no_dataset() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir(top.path().join("b.jsonl")).unwrap();
    let mut folder = open(top.path());
    folder.create("a.jsonl", Some("post"), Some("a")).unwrap();
    folder.create("b.jsonl", Some("post"), Some("b")).unwrap();
    assert!(commit(folder).is_err_and(|e| e.to_string().contains("b.jsonl")));
    assert_eq!(names_in(top.path()).unwrap(), ["b.jsonl"]);
}

#[test]
fn a_file_in_place_of_the_folder_is_trouble() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(Folder::open(&path, None, |_, _| false).is_err_and(|e| e.to_string().contains("file: not a directory")));
    assert!(Folder::open(&path.join("below"), None, |_, _| false).is_err());
}

#[test]
fn compressed_files_are_whole_and_their_sums_are_of_what_lies_on_the_disk() {
    for (compression, name) in [(Compression::Gzip, "a.jsonl.gz"), (Compression::Zstd, "a.jsonl.zst")] {
        let top = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(top.path(), Some(compression), |_, _| false).unwrap();
        let a = folder.create("a.jsonl", Some("post"), Some("a")).unwrap();
        let text: String = (0..200_000).map(|i| format!("{}\n", i * 7919)).collect();
        folder.append(a, text.as_bytes(), 200_000).unwrap();
        commit(folder).unwrap();
        let bytes = fs::read(top.path().join(name)).unwrap();
        let json = fs::read_to_string(top.path().join(manifest::NAME)).unwrap();
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
    assert!(names_in(top.path()).unwrap().iter().all(|name| name.starts_with(STAGING)));
    commit(folder).unwrap();
    let json = fs::read(top.path().join(manifest::NAME)).unwrap();
    let names = ["a/links.csv", "a/en/post-1.txt", "a/en/post-2.txt", "a/en/post-3.txt"];
    assert_eq!(manifest::listed_files(&json).unwrap(), names);
    assert!(names.iter().all(|name| top.path().join(name).is_file()));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["files"][0]["kind"], &json["files"][0]["records"]), (&serde_json::Value::Null, &4.into()));
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!((&json["files"][1]["sha256"], &json["files"][1]["bytes"]), (&sum.into(), &3.into()));
    fs::write(top.path().join("a/mine"), "").unwrap();
    let said = messages(open(top.path()));
    assert!(said.contains("/a: not of this dataset") && said.lines().count() == 1, "{said}");
    assert_eq!(names_in(&top.path().join("a")).unwrap(), ["mine"]);
}

#[test]
fn foreign_files_in_folders_are_named_and_folders_of_others_stay() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("a/b")).unwrap();
    fs::write(top.path().join("a/b/mine"), "").unwrap();
    fs::write(top.path().join("a/b/c"), "").unwrap();
    let mut folder = open(top.path());
    folder.write_file("a/b/c", (None, None), b"", 0).unwrap();
    let said = messages(folder);
    assert!(said.contains("a/b/mine: not of this dataset, left as it is"), "{said}");
    assert!(said.contains("a/b/c: existed without a manifest, replaced"), "{said}");
    assert_eq!(said.lines().count(), 2);
    drop(open(top.path()));
    assert_eq!(names_in(&top.path().join("a/b")).unwrap(), ["mine"]);
}

#[test]
fn a_run_that_fails_half_way_takes_its_folders_back() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir(top.path().join("kept")).unwrap();
    fs::create_dir_all(top.path().join("z/file")).unwrap();
    let mut folder = open(top.path());
    for name in ["a/b/c", "kept/d", "z/file"] {
        folder.write_file(name, (None, None), b"", 0).unwrap();
    }
    assert!(commit(folder).is_err_and(|e| e.to_string().contains("z/file")));
    assert_eq!(names_in(top.path()).unwrap(), ["kept", "z"]);
    assert!(names_in(&top.path().join("kept")).unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn nothing_behind_a_symbolic_link_is_written_or_removed() {
    let top = tempfile::tempdir().unwrap();
    let [data, other] = ["data", "other"].map(|name| top.path().join(name));
    fs::create_dir(&data).unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("precious"), "").unwrap();
    std::os::unix::fs::symlink(&other, data.join("a")).unwrap();
    let manifest = "{\"program\":\"wp-export\",\"files\":[{\"name\":\"a/precious\"}]}";
    fs::write(data.join(manifest::NAME), manifest).unwrap();
    let mut folder = open(&data);
    folder.write_file("a/new", (None, None), b"", 0).unwrap();
    assert!(commit(folder).is_err_and(|e| e.to_string().contains("a: not a directory")));
    assert_eq!(names_in(&other).unwrap(), ["precious"]);
}

#[test]
fn whole_files_clash_with_growing_ones_too_and_are_compressed() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = Folder::open(top.path(), Some(Compression::Gzip), |_, _| false).unwrap();
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
    assert!(folder.kept_back < KEPT_BACK_IN_ALL);
    commit(folder).unwrap();
    assert_eq!(names_in(top.path()).unwrap().len(), 2001);
}
