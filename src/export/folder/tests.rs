use super::*;
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
    Folder::open(path, None).unwrap()
}

#[test]
fn nothing_is_seen_before_commit_and_nothing_is_left_without_it() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a/b");
    let mut folder = open(&path);
    let posts = folder.create("posts.jsonl", "post", "post").unwrap();
    folder.append(posts, &vec![b'x'; 2 * KEPT_BACK], 1).unwrap();
    assert!(names_in(&path).unwrap().iter().all(|name| name.starts_with(STAGING)));
    drop(folder);
    assert!(names_in(&path).unwrap().is_empty());
}

#[test]
fn the_manifest_tells_records_bytes_and_sums() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    let posts = folder.create("posts.jsonl", "post", "post").unwrap();
    folder.create("pages.jsonl", "post", "page").unwrap();
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
    folder.create("old.jsonl", "post", "old").unwrap();
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
    folder.create("posts.jsonl", "post", "post").unwrap();
    assert!(messages(folder).contains("posts.jsonl: stood there without a manifest, replaced"));
    assert_eq!(names_in(top.path()).unwrap(), [manifest::NAME, "posts.jsonl"]);
    assert_eq!(fs::read(top.path().join("posts.jsonl")).unwrap(), b"");
}

#[test]
fn another_programs_manifest_is_not_touched() {
    let top = tempfile::tempdir().unwrap();
    let place = top.path().join(manifest::NAME);
    fs::write(&place, "{\"name\":\"an app\"}").unwrap();
    assert!(Folder::open(top.path(), None).is_err_and(|e| e.to_string().contains("not written by wp-export")));
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
    folder.create("Book.jsonl", "post", "Book").unwrap();
    let error = folder.create("book.jsonl", "post", "book").unwrap_err().to_string();
    assert!(error.contains("book.jsonl (post book) would clash with Book.jsonl (post Book)"), "{error}");
}

#[test]
fn a_folder_where_a_file_should_be_is_trouble_and_leaves_no_dataset() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir(top.path().join("b.jsonl")).unwrap();
    let mut folder = open(top.path());
    folder.create("a.jsonl", "post", "a").unwrap();
    folder.create("b.jsonl", "post", "b").unwrap();
    assert!(commit(folder).is_err_and(|e| e.to_string().contains("b.jsonl")));
    assert_eq!(names_in(top.path()).unwrap(), ["b.jsonl"]);
}

#[test]
fn a_file_in_place_of_the_folder_is_trouble() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(Folder::open(&path, None).is_err_and(|e| e.to_string().contains("file: not a directory")));
    assert!(Folder::open(&path.join("below"), None).is_err());
}

#[test]
fn compressed_files_are_whole_and_their_sums_are_of_what_lies_on_the_disk() {
    for (compression, name) in [(Compression::Gzip, "a.jsonl.gz"), (Compression::Zstd, "a.jsonl.zst")] {
        let top = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(top.path(), Some(compression)).unwrap();
        let a = folder.create("a.jsonl", "post", "a").unwrap();
        let text: String = (0..200_000).map(|i| format!("{}\n", i * 7919)).collect();
        folder.append(a, text.as_bytes(), 200_000).unwrap();
        commit(folder).unwrap();
        let bytes = fs::read(top.path().join(name)).unwrap();
        let json = fs::read_to_string(top.path().join(manifest::NAME)).unwrap();
        assert!(json.contains(&hex(&Sha256::digest(&bytes))) && json.contains(&format!("\"bytes\": {}", bytes.len())));
        let mut out = String::new();
        let reader = crate::ndjson::decompress(Box::new(io::Cursor::new(bytes))).unwrap();
        io::BufReader::new(reader).read_to_string(&mut out).unwrap();
        assert!(out == text);
    }
}

#[test]
fn more_types_than_open_files_allowed() {
    let top = tempfile::tempdir().unwrap();
    let mut folder = open(top.path());
    for i in 0..2000 {
        let number = folder.create(&format!("t{i}.jsonl"), "post", &format!("t{i}")).unwrap();
        folder.append(number, &[b'x'; 8192], 1).unwrap();
    }
    assert!(folder.kept_back < KEPT_BACK_IN_ALL);
    commit(folder).unwrap();
    assert_eq!(names_in(top.path()).unwrap().len(), 2001);
}
