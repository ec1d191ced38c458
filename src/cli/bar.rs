//! Draws the progress bar of a run, and prints messages above it.

use super::seat::Position;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;

/// Draws a bar only on a terminal and, in a pipeline, only in the last stage, so that five programs do not compete for one line.
/// There is no bar if records go to a pipe or to the terminal itself. In wpipe, the first stage has the bar until records reach
/// the last one.
pub(super) fn progress_bar(
    position: Option<Position>,
    is_quiet: bool,
    writes_to_stdout: bool,
    size: Option<u64>,
) -> Option<ProgressBar> {
    let is_seen = match position {
        None | Some(Position::Last) => !(writes_to_stdout && somebody_reads_stdout()),
        Some(Position::First) => true,
        Some(Position::Inner) => false,
    };
    if is_quiet || !io::stderr().is_terminal() || !is_seen {
        return None;
    }
    let bar = ProgressBar::new(size.unwrap_or(0));
    if position == Some(Position::Last) {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        return Some(bar);
    }
    // The first records may take minutes: wp-resolve writes them when it has read a site.
    let waits = if position == Some(Position::First) { "{prefix} reads" } else { "{prefix} waits for records" };
    set_style(&bar, waits);
    Some(bar)
}

fn set_style(bar: &ProgressBar, template: &str) {
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
}

/// Whether stdout is a pipe, a socket or a terminal.
fn somebody_reads_stdout() -> bool {
    let kind = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    let piped = kind.is_ok_and(|stdout| stdout.file_type().is_fifo() || stdout.file_type().is_socket());
    piped || io::stdout().is_terminal()
}

pub(super) fn draw_progress(
    program: &'static str,
    position: Option<Position>,
    bar: ProgressBar,
    size: Option<u64>,
) -> Box<dyn FnMut(u64, u64) + Send> {
    bar.set_prefix(program);
    let mut total = 0;
    Box::new(move |records, bytes| {
        if bar.position() == 0 || total == 0 && records > 0 {
            // The time spent waiting for the first record does not count for the speed.
            bar.reset_elapsed();
            bar.reset_eta();
        }
        if total == 0 && records > 0 {
            match position {
                Some(Position::First) => return bar.finish_and_clear(),
                _ => bar.set_draw_target(ProgressDrawTarget::stderr()),
            }
        }
        let known = "{prefix} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left{msg}";
        let unknown = "{prefix} {spinner} {bytes}, {bytes_per_sec}, {elapsed}{msg}";
        set_style(&bar, if size.is_some() { known } else { unknown });
        total += records;
        bar.inc(bytes);
        // wp-index writes only after it has read everything; until then there is no number to show.
        bar.set_message(if total > 0 { format!(", {total} records") } else { String::new() });
    })
}

/// Shows a status text in place of the bar.
pub(super) fn draw_status(bar: ProgressBar) -> Box<dyn FnMut(String) + Send> {
    Box::new(move |text| {
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is well-formed"));
        bar.set_message(text);
    })
}

/// Prints messages above the bar without disturbing it.
pub(super) struct Messages(pub(super) Option<ProgressBar>);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = || io::stderr().write_all(&super::painted(bytes)).map(|()| bytes.len());
        self.0.as_ref().map_or_else(write, |bar| bar.suspend(write))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
