//! Writes the completion scripts of all programs below SHARE: completions SHARE. For packages and `make install`; never installed.

use clap::CommandFactory;
use clap_complete::Shell;
use std::fs;
use std::io;
use std::path::Path;
use wpipe::cli::pipe;

macro_rules! flags {
    ($($path:literal as $module:ident),* $(,)?) => {
        $(
            #[path = $path]
            #[allow(dead_code, reason = "only the options are needed")]
            mod $module;
        )*

        fn commands() -> Vec<clap::Command> {
            vec![$($module::Flags::command()),*]
        }
    };
}

// The five of the pipe come first, in their order.
flags! {
    "wp-index.rs" as index,
    "wp-parse.rs" as parse,
    "wp-translations.rs" as translations,
    "wp-resolve.rs" as resolve,
    "wp-export.rs" as export,
    "wp-groups.rs" as groups,
    "wp-language.rs" as language,
    "wp-diff.rs" as diff,
    "wp-align.rs" as align,
    "wp-fetch.rs" as fetch,
}

fn main() -> io::Result<()> {
    let share = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("completions SHARE: name a directory"))?;
    let share = Path::new(&share);
    let mut commands = commands();
    commands.push(pipe::command_line(&commands[..5], wpipe::formats::ALL));
    for command in &mut commands {
        let name = command.get_name().to_owned();
        for (shell, folder, file) in [
            (Shell::Bash, "bash-completion/completions", name.clone()),
            (Shell::Zsh, "zsh/site-functions", format!("_{name}")),
            (Shell::Fish, "fish/vendor_completions.d", format!("{name}.fish")),
        ] {
            let mut script = Vec::new();
            clap_complete::generate(shell, command, name.as_str(), &mut script);
            fs::create_dir_all(share.join(folder))?;
            fs::write(share.join(folder).join(file), script)?;
        }
    }
    Ok(())
}
