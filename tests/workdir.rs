//! Makes a temporary directory in which tests run the real binaries.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The five programs, in the order of the pipe.
pub const PROGRAMS: [&str; 5] = ["wp-index", "wp-parse", "wp-translations", "wp-resolve", "wp-export"];

/// The result of a command.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The lines of stdout as JSON.
    #[track_caller]
    pub fn records(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Checks the exit status and returns itself.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stderr: {}", self.stderr);
        self
    }
}

/// Whether an optional program is installed; only Rust, make and jq are required. If it is not, reports which checks are
/// skipped, in a way that is shown even if the test passes.
pub fn installed(program: &str, without: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        let line = format!("SKIPPED: {program} is not installed: {without}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    found
}

/// The directory; removed when dropped.
pub struct Workdir(TempDir);

impl Workdir {
    pub fn new() -> Self {
        Workdir(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with the directories above it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn read_bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Names below the directory, sorted.
    pub fn list(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a shell script here, with the five programs on the PATH and pipefail.
    pub fn sh(&self, script: &str) -> Run {
        self.run(bash().args(["-o", "pipefail", "-c", script]), b"")
    }

    /// Runs one of the programs here; the arguments are separated by blanks.
    pub fn program(&self, program: &str, args: &str, stdin: impl AsRef<[u8]>) -> Run {
        let mut words = program.split(' ').chain(args.split_whitespace());
        let program = binaries().join(words.next().unwrap());
        self.run(Command::new(program).args(words), stdin.as_ref())
    }

    /// Starts a shell script here and keeps its stdin and stdout open.
    pub fn start(&self, script: &str) -> Child {
        self.spawn(bash().args(["-o", "pipefail", "-c", script]))
    }

    fn spawn(&self, command: &mut Command) -> Child {
        let path = format!("{}:{}", binaries().display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).current_dir(self.0.path());
        // Under `make test`, a make run by a test would become part of that one.
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn run(&self, command: &mut Command, stdin: &[u8]) -> Run {
        let mut child = self.spawn(command);
        let mut input = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // A program may exit before it has read everything.
            scope.spawn(move || drop(input.write_all(stdin)));
            let output = child.wait_with_output().unwrap();
            Run {
                status: output.status.code().unwrap_or(-1),
                stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
                stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            }
        })
    }
}

/// Finds bash by its path: otherwise std forks this process, which is large, to search the PATH that it sets.
fn bash() -> Command {
    let mut command = Command::new("/usr/bin/env");
    command.arg("bash");
    command
}

/// The directory where cargo put the programs.
pub fn binaries() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_wp-parse")).parent().unwrap()
}

/// A file of this repository.
pub fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
