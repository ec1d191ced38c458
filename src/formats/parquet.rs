//! Writes the lines of a complete file as [Apache Parquet](https://parquet.apache.org/docs/file-format/): the columns are those of
//! the schema, nested as in the records. If the values of an added key have several types, they become JSON text, byte for byte.

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::export::jsonl::types::{Field, ValueType, unescaped};
use crate::export::jsonl::write_rewritten;
use crate::ndjson::{Walk, repair_surrogates};
use crate::report::Error;
use arrow_json::ReaderBuilder;
use arrow_schema::{DataType, Fields, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::sync::Arc;

/// The most records of a batch.
const ROWS: usize = 1024;

/// The number of bytes of lines after which a batch ends.
const BATCH: usize = 4 << 20;

/// The number of bytes of encoded columns after which a row group ends.
const GROUP: usize = 32 << 20;

/// Writes the records, a file per type, and a card.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(super) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    write_rewritten(folder, job, ("parquet", include_str!("parquet.md")), |lines, out, shape| write(lines, out, shape))
}

/// Writes a file with the columns of `shape`, an object.
fn write(mut lines: impl BufRead, out: impl Write + Send, shape: &ValueType) -> io::Result<()> {
    let schema = Arc::new(Schema::new(fields(shape.fields())));
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(out, schema.clone(), options).map_err(failed)?;
    let mut decoder = ReaderBuilder::new(schema).with_batch_size(ROWS).build_decoder().map_err(io::Error::other)?;
    let texts = shape.fields().iter().filter(|field| field.shape == ValueType::Json);
    let texts: HashSet<&str> = texts.map(|field| &*field.name).collect();
    let (mut line, mut bytes, mut rows) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        let ended = lines.read_until(b'\n', &mut line)? == 0;
        if ended || rows == ROWS || bytes >= BATCH {
            if let Some(batch) = decoder.flush().map_err(io::Error::other)? {
                writer.write(&batch).map_err(failed)?;
            }
            if writer.in_progress_size() >= GROUP {
                writer.flush().map_err(failed)?;
            }
            (bytes, rows) = (0, 0);
        }
        if ended {
            return writer.close().map(drop).map_err(failed);
        }
        // Arrow's reader rejects lone surrogates, which the lines keep.
        if let Some(repaired) = std::str::from_utf8(&line).ok().and_then(repair_surrogates) {
            line = repaired.into_bytes();
        }
        if !texts.is_empty() {
            line = with_text(&line, &texts);
        }
        (bytes, rows) = (bytes + line.len(), rows + 1);
        let read = decoder.decode(&line).map_err(io::Error::other)?;
        debug_assert_eq!(read, line.len());
    }
}

/// The line with the values of these keys as strings; null stays null.
fn with_text(line: &[u8], texts: &HashSet<&str>) -> Vec<u8> {
    let mut walk = Walk::new(line);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut look = || {
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let is_text = texts.contains(&*unescaped(key));
            let place = walk.value()?;
            if is_text && line[place.start] != b'n' {
                places.push(place);
            }
        }
        Some(())
    };
    look();
    let (mut out, mut done) = (Vec::with_capacity(line.len() + 16), 0);
    for place in places {
        out.extend_from_slice(&line[done..place.start]);
        let text = String::from_utf8_lossy(&line[place.clone()]);
        serde_json::to_writer(&mut out, text.trim_end()).expect("a text can be JSON");
        done = place.end;
    }
    out.extend_from_slice(&line[done..]);
    out
}

/// The recursion is as deep as the shape, which is limited.
fn fields(of: &[Field]) -> Fields {
    of.iter().map(|field| arrow_schema::Field::new(&field.name, data_type(&field.shape), true)).collect()
}

fn data_type(shape: &ValueType) -> DataType {
    match shape {
        ValueType::Text | ValueType::Null | ValueType::Json => DataType::Utf8,
        // Parquet has no timestamps in seconds. It marks them as UTC by itself.
        ValueType::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("+00:00".into())),
        ValueType::Integer => DataType::Int64,
        ValueType::Number => DataType::Float64,
        ValueType::Boolean => DataType::Boolean,
        ValueType::List(element) => {
            DataType::List(Arc::new(arrow_schema::Field::new("element", data_type(element), true)))
        }
        ValueType::Object(of) => DataType::Struct(fields(of)),
    }
}

/// Unwraps an I/O error, so that a full disk is reported as such.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => error.downcast().map_or_else(io::Error::other, |error| *error),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::jsonl::types::{Added, look_at};
    use arrow_json::writer::{JsonArray, WriterBuilder};
    use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
    use serde_json::{Map, Value, json};

    /// Values of an added key, of one type or of several.
    fn added(random: &mut impl FnMut(usize) -> usize) -> Value {
        match random(9) {
            0 => json!(null),
            1 => json!([1, {"b": "ä\u{1F600}\""}]),
            2 => json!({"": 1.5e300}),
            3 => json!(i64::MAX),
            4 => json!(-2.5),
            5 => json!(true),
            _ => json!("text\n"),
        }
    }

    /// The row as its columns must represent it: all keys, JSON text for values without a single type.
    fn expected(row: &Value, shape: &ValueType) -> Value {
        match (row, shape) {
            (Value::Null, _) => Value::Null,
            (value, ValueType::Json) => Value::String(value.to_string()),
            (Value::Object(row), ValueType::Object(of)) => {
                let value = |field: &Field| expected(row.get(&field.name).unwrap_or(&Value::Null), &field.shape);
                of.iter().map(|field| (field.name.clone(), value(field))).collect::<Map<_, _>>().into()
            }
            (Value::Array(row), ValueType::List(of)) => row.iter().map(|row| expected(row, of)).collect(),
            (value, _) => value.clone(),
        }
    }

    #[test]
    fn what_is_read_back_is_what_the_lines_say() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut lines, mut rows, mut keys) = (Vec::new(), Vec::new(), Added::default());
        for id in 0..3 * ROWS {
            let mut row = json!({"kind": "post", "id": id, "date_gmt": "2023-09-08T07:30:00Z", "terms": []});
            for (key, most) in [("site", 9), ("links", 4), ("title", 3), ("one", 2), ("several", 2), ("late", ROWS)] {
                let value = match key {
                    _ if random(most) != 0 => continue,
                    "links" => json!([{"href": "/a"}, {"target": {"id": id}}]),
                    "title" => json!({"text": "T"}),
                    "one" => json!(id % 7 == 0),
                    "several" => added(&mut random),
                    _ => json!("x"),
                };
                row[key] = value;
            }
            let line = row.to_string();
            assert!(look_at("post", line.as_bytes(), &[], &mut keys).is_empty());
            lines.extend_from_slice(format!("{line}\n").as_bytes());
            rows.push(row);
        }
        lines.extend_from_slice(b"{\"kind\":\"post\",\"id\":-1,\"site\":\"a\\ud83d\"}\n");
        rows.push(json!({"kind": "post", "id": -1, "site": "a\u{fffd}"}));
        let shape = ValueType::of("post", &keys);
        let mut file = tempfile::tempfile().unwrap();
        write(&*lines, &mut file, &shape).unwrap();
        let schema = Arc::new(Schema::new(fields(shape.fields())));
        let options = ArrowReaderOptions::new().with_schema(schema);
        let batches = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).unwrap().build().unwrap();
        let mut json = WriterBuilder::new().with_explicit_nulls(true).build::<_, JsonArray>(Vec::new());
        batches.for_each(|batch| json.write(&batch.unwrap()).unwrap());
        json.finish().unwrap();
        let found: Vec<Value> = serde_json::from_slice(&json.into_inner()).unwrap();
        assert_eq!(found.len(), rows.len());
        for (found, row) in found.iter().zip(&rows) {
            assert_eq!(*found, expected(row, &shape));
        }
    }

    #[test]
    fn a_full_disk_has_its_own_words() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(failed(ParquetError::External(Box::new(full))).kind(), io::ErrorKind::StorageFull);
        assert_eq!(failed(ParquetError::General("x".into())).kind(), io::ErrorKind::Other);
    }
}
