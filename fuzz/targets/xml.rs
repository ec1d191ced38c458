#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wpipe::fuzzing::splitter(data));
