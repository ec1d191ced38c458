//! Reads the records of a WARC file, in order or from a place, and looks for the next good one after a broken one.

use super::record::{Fault, WarcPlace, WarcRecord};
use super::stream::Stream;
use super::volume::{Member, Raw, Volume};
use std::io;

/// The most bytes of a member that are searched for the next record after a broken one.
const MOST_SEARCHED: u64 = 256 << 20;

/// The records of a volume, in order.
pub(crate) struct Records<'v> {
    volume: &'v Volume,
    /// The longest record that is accepted, in bytes.
    most: usize,
    state: State<'v>,
    /// Reusable memory for the next member.
    buffer: Vec<u8>,
}

enum State<'v> {
    /// The reader is at the start of a member.
    Between(Raw),
    /// The reader is in the member that begins at this offset.
    Within(u64, Box<Stream<Member<'v>>>),
    Ended,
}

impl<'v> Records<'v> {
    /// The records of `volume`; a record of more than `most` bytes is a fault.
    pub(crate) fn new(volume: &'v Volume, most: usize) -> Self {
        Records { volume, most, state: State::Between(volume.raw(0)), buffer: Vec::new() }
    }

    /// Returns the next record, with its block in `block` if `is_wanted`, which gets the first bytes of the block.
    pub(crate) fn next(
        &mut self,
        is_wanted: impl Fn(&WarcRecord, &[u8]) -> bool,
        block: &mut Vec<u8>,
    ) -> Option<Result<WarcRecord, Fault>> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return None,
                State::Between(raw) => {
                    let start = raw.position();
                    match self.volume.member(raw) {
                        Ok(Some(member)) => {
                            let buffer = std::mem::take(&mut self.buffer);
                            self.state = State::Within(start, Box::new(Stream::new(member, buffer)));
                        }
                        Ok(None) => return None,
                        Err(e) => return Some(Err(self.give_up(WarcPlace { member: start, skip: 0 }, &e.to_string()))),
                    }
                }
                State::Within(start, mut stream) => {
                    stream.skip_blank();
                    let place = self.place(start, &stream);
                    if stream.is_at_end() {
                        match stream.error.take() {
                            Some(e) => return Some(Err(self.give_up(place, &e))),
                            None => {
                                self.buffer = stream.buffer;
                                self.state = State::Between(stream.member.into_raw());
                            }
                        }
                        continue;
                    }
                    let is_end = |passed: u64| !self.volume.is_plain() || self.volume.is_end_of_record(start + passed);
                    let read = stream.record(place, self.most, &is_end, &is_wanted, block);
                    return Some(match read {
                        Ok(record) => {
                            self.state = State::Within(start, stream);
                            Ok(record)
                        }
                        // The records that a wrong length has skipped are recovered, once per member.
                        Err(_) if !self.volume.is_plain() && !stream.is_careful => match self.again(place) {
                            Some(stream) => {
                                self.state = State::Within(start, Box::new(stream));
                                continue;
                            }
                            None => return None,
                        },
                        Err(what) => Err(self.go_on(place, start, stream, what)),
                    });
                }
            }
        }
    }

    fn place(&self, start: u64, stream: &Stream<Member<'_>>) -> WarcPlace {
        match self.volume.is_plain() {
            true => WarcPlace { member: start + stream.passed, skip: 0 },
            false => WarcPlace { member: start, skip: stream.passed },
        }
    }

    /// Reads the member of a record again from that record on, this time checking each length before anything after the
    /// record is skipped.
    fn again(&self, place: WarcPlace) -> Option<Stream<Member<'v>>> {
        let member = self.volume.member(self.volume.raw(place.member)).ok().flatten()?;
        let mut stream = Stream::new(member, Vec::new());
        stream.is_careful = true;
        stream.pass(place.skip, |_| {}).ok()?;
        Some(stream)
    }

    /// Moves to the next record after a broken one.
    fn go_on(&mut self, place: WarcPlace, start: u64, mut stream: Box<Stream<Member<'v>>>, what: String) -> Fault {
        stream.skip(stream.rest().len().min(1));
        let most = if self.volume.is_plain() { u64::MAX } else { MOST_SEARCHED };
        if !stream.find_record(most) {
            return self.give_up(place, &what);
        }
        self.state = State::Within(start, stream);
        Fault { place, what }
    }

    /// Moves to the next member after one that cannot be read any further.
    fn give_up(&mut self, place: WarcPlace, what: &str) -> Fault {
        let after =
            if self.volume.is_plain() { None } else { self.volume.find_member(place.member + 1).ok().flatten() };
        let lost = after.unwrap_or(self.volume.length()).saturating_sub(place.member);
        self.state = after.map_or(State::Ended, |at| State::Between(self.volume.raw(at)));
        let lost = if lost == 0 { String::new() } else { format!(" ({lost} bytes of the file are skipped)") };
        Fault { place, what: format!("{what}{lost}") }
    }
}

/// The record at `place`, and its block in `block`.
///
/// # Errors
/// If there is none, or it has more than `most` bytes or cannot be read.
pub(crate) fn read_at(volume: &Volume, place: WarcPlace, most: usize, block: &mut Vec<u8>) -> io::Result<WarcRecord> {
    let broken = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let nothing = || broken("no record begins there".to_owned());
    if place.skip == 0 {
        let member = volume.member(volume.raw(place.member))?.ok_or_else(nothing)?;
        return Stream::new(member, Vec::new()).record(place, most, &|_| true, &|_, _| true, block).map_err(broken);
    }
    let member = volume.within(place.member, place.skip)?;
    Stream::new(member, Vec::new()).record(place, most, &|_| true, &|_, _| true, block).map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::super::volume::READ;
    use super::*;
    use std::io::Write;

    const MOST: usize = 1 << 20;

    fn record(kind: &str, uri: &str, block: &str) -> Vec<u8> {
        let length = block.len();
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
        .into_bytes()
    }

    fn records() -> Vec<Vec<u8>> {
        let long = "x".repeat(70_000);
        ["", "one", "two\r\n\r\nthree", &long, "last"]
            .iter()
            .enumerate()
            .map(|(n, block)| record("response", &format!("<http://a.example/{n}>"), block))
            .collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd_with(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn volume(bytes: &[u8]) -> io::Result<Volume> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Volume::open("a.warc", file).map(|mut volumes| volumes.pop().unwrap())
    }

    /// URIs and lengths of the blocks of the records, or their errors.
    fn read(bytes: &[u8]) -> Vec<Result<(String, usize), String>> {
        let Ok(volume) = volume(bytes) else { return vec![Err("cannot be opened".to_owned())] };
        let (mut records, mut block, mut again) = (Records::new(&volume, MOST), Vec::new(), Vec::new());
        let mut found = Vec::new();
        while let Some(record) = records.next(|_, _| true, &mut block) {
            if let Ok(record) = &record {
                let written: WarcPlace = record.place.to_string().parse().unwrap();
                let same = read_at(&volume, written, MOST, &mut again).unwrap();
                assert_eq!((same.uri(), &again), (record.uri(), &block));
            }
            found.push(
                record.map(|r| (r.uri().unwrap_or_default().to_owned(), block.len())).map_err(|fault| fault.what),
            );
            assert!(found.len() < 1000, "it ends");
        }
        found
    }

    fn forms() -> Vec<(&'static str, Vec<Vec<u8>>)> {
        let plain = records();
        let whole = plain.concat();
        let dictionary = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/".repeat(4);
        let mut frames =
            vec![[&[0x5d, 0x2a, 0x4d, 0x18][..], &(dictionary.len() as u32).to_le_bytes(), &dictionary].concat()];
        frames.extend(plain.iter().map(|record| zstd_with(record, &dictionary)));
        vec![
            ("gzip", plain.iter().map(|record| gzip(record)).collect()),
            ("whole gzip", vec![gzip(&whole)]),
            ("zstd", plain.iter().map(|record| zstd::encode_all(&record[..], 1).unwrap()).collect()),
            ("zstd with a dictionary", frames),
            ("plain", plain),
        ]
    }

    #[test]
    fn the_records_are_the_same_in_every_compression_and_each_is_found_by_its_place() {
        let want: Vec<_> = [0, 3, 12, 70_000, 4]
            .iter()
            .enumerate()
            .map(|(n, &length)| Ok((format!("http://a.example/{n}"), length)))
            .collect();
        for (name, members) in forms() {
            assert_eq!(read(&members.concat()), want, "{name}");
        }
    }

    #[test]
    fn a_truncated_file_gives_its_whole_records() {
        for (name, members) in forms() {
            let whole = members.concat();
            let near = |n: usize| {
                members
                    .iter()
                    .scan(0, |end, m| {
                        *end += m.len();
                        Some(*end)
                    })
                    .any(|end| n.abs_diff(end) < 12)
            };
            for cut in (0..whole.len()).filter(|&n| n < 300 || near(n) || n % 4999 == 0) {
                let found = read(&whole[..cut]);
                let good = found.iter().take_while(|record| record.is_ok()).count();
                assert!(found.len() <= good + 1, "{name} cut at {cut}: {found:?}");
                let ends = members
                    .iter()
                    .scan(0, |end, m| {
                        *end += m.len();
                        Some(*end)
                    })
                    .filter(|&end| end <= cut)
                    .count();
                assert!(name == "whole gzip" || good + 1 >= ends, "{name} cut at {cut}: {found:?}");
            }
        }
    }

    #[test]
    fn only_the_broken_record_is_lost() {
        for (name, members) in forms().into_iter().filter(|(name, _)| *name != "whole gzip") {
            let first = members.len() - 5;
            for at in [12, members[first + 1].len() / 2, members[first + 1].len() - 9] {
                let mut broken = members.clone();
                broken[first + 1][at] ^= 0x55;
                let found = read(&broken.concat());
                let good: Vec<_> = found.iter().flatten().map(|(uri, _)| uri.rsplit('/').next().unwrap()).collect();
                // zstd has no checksum here: the broken record may come out with other letters.
                let others = good.iter().filter(|n| !n.starts_with('1')).copied().collect::<Vec<_>>();
                assert_eq!(others, ["0", "2", "3", "4"], "{name} {at}: {found:?}");
            }
        }
    }

    #[test]
    fn only_the_record_with_a_wrong_length_is_lost() {
        let lying = |record: &[u8], length: &str| {
            let text = String::from_utf8(record.to_vec()).unwrap();
            text.replace("Content-Length: 3", &format!("Content-Length: {length}")).into_bytes()
        };
        for length in ["1", "2", "300", "99999999999", "-1", "x", ""] {
            let mut plain = records();
            plain[1] = lying(&plain[1], length);
            let members: Vec<_> = plain.iter().map(|record| gzip(record)).collect();
            let whole = gzip(&plain.concat());
            for (name, bytes) in [("plain", plain.concat()), ("gzip", members.concat()), ("whole gzip", whole)] {
                let found = read(&bytes);
                assert_eq!(found.iter().filter(|record| record.is_err()).count(), 1, "{name} {length}: {found:?}");
                assert_eq!(found.iter().flatten().count(), 4, "{name} {length}: {found:?}");
            }
        }
    }

    /// A file that is built so that parts of it are read again and again: the bytes that are read grow with the file, not
    /// faster.
    #[test]
    fn a_hostile_archive_is_not_read_again_and_again() {
        let liar = |n: usize, length: usize| {
            let start = format!("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n");
            start.repeat(n).into_bytes()
        };
        let n = 5000;
        for (name, bytes) in [
            ("lengths that lead to the end of a member", gzip(&liar(n, 400_000))),
            ("lengths beyond what is read", gzip(&liar(n, 2 * MOST))),
            ("lengths beyond any file", gzip(&liar(n, usize::MAX))),
            ("plain lengths", liar(n, 400_000)),
            ("headers that do not end", b"WARC/1.0\r\n".repeat(n)),
            ("starts of gzip members", b"\x1f\x8b\x08\x08".repeat(n)),
            ("starts of zstd frames", b"\x28\xb5\x2f\xfd".repeat(n)),
        ] {
            let volume = volume(&bytes).unwrap();
            let mut records = Records::new(&volume, MOST);
            let mut found = 0;
            READ.set(0);
            while records.next(|_, _| false, &mut Vec::new()).is_some() {
                found += 1;
            }
            let most = 4 * (bytes.len() + (64 << 10)) + found * 64;
            assert!(READ.get() <= most, "{name}: {} of {}, {found} faults", READ.get(), bytes.len());
        }
    }

    #[test]
    fn the_records_before_a_cut_in_a_member_are_used() {
        let many: Vec<Vec<u8>> = (0..400).map(|n| record("response", &format!("http://a.example/{n}"), "x")).collect();
        // Not compressed, so that half of the bytes hold half of the records.
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        encoder.write_all(&many.concat()).unwrap();
        let whole = encoder.finish().unwrap();
        let found = read(&whole[..whole.len() / 2]);
        assert!(found.len() > 195 && found[..found.len() - 1].iter().all(Result::is_ok), "{found:?}");
        assert!(found[found.len() - 1].is_err());
    }

    /// Two files that were each compressed as a whole: alternating between them unpacked 730 MB of a file of 4 MB.
    #[test]
    fn members_of_many_records_are_unpacked_once_in_whatever_order_they_are_wanted() {
        let long = |n: u32| format!("{n} ").repeat(300);
        let member = |from: u32| {
            let records: Vec<_> =
                (from..from + 100).map(|n| record("response", "http://a.example/", &long(n))).collect();
            gzip(&records.concat())
        };
        let bytes = [member(1000), member(2000)].concat();
        let volume = volume(&bytes).unwrap();
        let (mut records, mut block, mut places) = (Records::new(&volume, MOST), Vec::new(), Vec::new());
        while let Some(record) = records.next(|_, _| true, &mut block) {
            places.push((record.unwrap().place, block.clone()));
        }
        READ.set(0);
        for (place, want) in (0..100).flat_map(|n| [&places[n], &places[199 - n]]) {
            read_at(&volume, *place, MOST, &mut block).unwrap();
            assert!(block == *want);
        }
        // The first record of each member is read from its start.
        assert!(READ.get() <= 8 * bytes.len(), "{} of {}", READ.get(), bytes.len());
    }

    /// There are more of them than can be open at once.
    #[test]
    fn what_was_unpacked_outlasts_its_archive() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<_> = (0..70).map(|n| folder.path().join(format!("{n}.warc.gz"))).collect();
        for (n, path) in paths.iter().enumerate() {
            let records =
                ["a".repeat(n + 1), "b".repeat(20_000)].map(|block| record("response", "http://a.example/", &block));
            std::fs::write(path, gzip(&records.concat())).unwrap();
        }
        let archives = crate::archive::Archives::default();
        let mut block = Vec::new();
        let mut read = |path: &std::path::PathBuf| {
            let open = || Volume::open("a.warc.gz", std::fs::File::open(path)?);
            let volumes = archives.volumes(path.clone(), open).unwrap();
            let (mut records, mut place) = (Records::new(&volumes[0], MOST), WarcPlace::default());
            while let Some(record) = records.next(|_, _| false, &mut Vec::new()) {
                place = record.unwrap().place;
            }
            READ.set(0);
            read_at(&volumes[0], place, MOST, &mut block).unwrap();
            assert_eq!(block, b"b".repeat(20_000));
            READ.get()
        };
        let first: usize = paths.iter().map(&mut read).sum();
        let again: usize = paths.iter().map(&mut read).sum();
        assert!(first > 0 && again == 0, "{first} {again}");
    }

    #[test]
    fn bombs_are_refused_and_what_is_not_wanted_may_be_long() {
        let bomb = record("response", "http://a.example/", &" ".repeat(MOST + 1));
        let header = [b"WARC/1.1\r\nA: ", &b"x".repeat(MOST)[..]].concat();
        let bytes = [gzip(&bomb), gzip(&header), gzip(&record("response", "http://b.example/", "x"))].concat();
        let found = read(&bytes);
        assert!(found[0].as_ref().unwrap_err().starts_with("it has 1048577 bytes; at most 1048576"), "{found:?}");
        assert!(found[1].as_ref().unwrap_err().starts_with("its header has more than"), "{found:?}");
        assert_eq!(found[2], Ok(("http://b.example/".to_owned(), 1)));
        let volume = volume(&bytes).unwrap();
        let first = Records::new(&volume, MOST).next(|_, start| start.is_empty(), &mut Vec::new());
        assert!(first.unwrap().is_ok());
    }

    #[test]
    fn a_place_without_a_record_is_an_error() {
        let (_, members) = forms().swap_remove(0);
        let volume = volume(&members.concat()).unwrap();
        for place in ["1", "0+1", "0+7", "999999999", "3+5"] {
            assert!(read_at(&volume, place.parse().unwrap(), MOST, &mut Vec::new()).is_err(), "{place}");
        }
        assert!("x".parse::<WarcPlace>().is_err() && "".parse::<WarcPlace>().is_err());
    }
}
