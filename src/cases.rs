//! How many cases a property tries: all of them where WPIPE_CASES is set, as `make check` does, a quarter in `make test`.

use proptest::test_runner::Config;

/// The number of cases of a property that `make check` tries `all` of.
pub(crate) fn number(all: u32) -> u32 {
    if std::env::var_os("WPIPE_CASES").is_some() { all } else { all.div_ceil(4) }
}

/// So many cases. What fails is shown with its input, and no file is written.
pub(crate) fn cases(all: u32) -> Config {
    Config { cases: number(all), failure_persistence: None, ..Config::default() }
}
