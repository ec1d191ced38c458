//! Sets how many random inputs a property test tries: all of them if WPIPE_CASES is set, as in `make check`, and a
//! quarter in `make test`.

use proptest::test_runner::Config;

/// The number of cases for a property that has `all` cases in `make check`.
pub(crate) fn number(all: u32) -> u32 {
    if std::env::var_os("WPIPE_CASES").is_some() { all } else { all.div_ceil(4) }
}

/// A proptest configuration with [`number`] of `all` cases. A failure is shown with its input, but not written to a
/// regression file.
pub(crate) fn cases(all: u32) -> Config {
    Config { cases: number(all), failure_persistence: None, ..Config::default() }
}
