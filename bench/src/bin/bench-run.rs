//! The stopwatch: runs one command and writes what it cost as one JSON object. A program of its own, because the
//! kernel counts the memory of whoever starts a process into that process' peak: this one has 2 MB, Python 15.

use clap::Parser;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use serde_json::json;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Run COMMAND and write {status, user, system, wall, peak_rss} to FILE: seconds, bytes
#[derive(Parser)]
struct Flags {
    /// Where the cost is written
    #[arg(long, value_name = "FILE")]
    cost: PathBuf,
    /// Redirect the command's stdin: a regular file stays one that can be read twice
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Redirect the command's stdout
    #[arg(long, value_name = "FILE")]
    stdout: Option<PathBuf>,
    /// Run it so often, one after the other, and write the sums of the times: for what is too short to be measured
    #[arg(long, value_name = "N", default_value_t = 1)]
    times: u32,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let flags = Flags::parse();
    let start = Instant::now();
    let mut worst = 0;
    for _ in 0..flags.times {
        let mut command = Command::new(&flags.command[0]);
        command.args(&flags.command[1..]);
        if let Some(path) = &flags.stdin {
            command.stdin(Stdio::from(File::open(path)?));
        }
        if let Some(path) = &flags.stdout {
            command.stdout(Stdio::from(File::create(path)?));
        }
        worst = worst.max(command.status()?.code().unwrap_or(255));
    }
    let wall = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
    let cost = json!({
        "status": worst,
        "user": seconds(usage.user_time()),
        "system": seconds(usage.system_time()),
        "wall": wall,
        "peak_rss": usage.max_rss() * 1024,
    });
    std::fs::write(&flags.cost, format!("{cost}\n"))?;
    Ok(ExitCode::from(u8::try_from(worst).unwrap_or(255)))
}
