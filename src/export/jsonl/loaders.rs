//! Writes `schema/load_*`: scripts that load the files with all types declared, so that loaders do not guess them from
//! the first rows. The Python scripts read the types from the schemas; SQL cannot, so its types are written here.

use super::table::Table;
use super::types::ValueType;
use std::fmt::Write as _;

/// DuckDB's default limit for the length of a line, in bytes.
const DUCKDB_LINE: usize = 16 << 20;

/// The loaders: name and text.
pub(super) fn write(tables: &[Table<'_>]) -> [(&'static str, String); 4] {
    [
        ("load_duckdb.sql", duckdb(tables)),
        ("load_polars.py", include_str!("loaders/load_polars.py").to_owned()),
        ("load_pandas.py", include_str!("loaders/load_pandas.py").to_owned()),
        ("load_datasets.py", include_str!("loaders/load_datasets.py").to_owned()),
    ]
}

fn duckdb(tables: &[Table<'_>]) -> String {
    let mut sql = String::from(
        "-- Loads each file of this dataset into a DuckDB table, with the types of its schema instead of types guessed from\n\
         -- the first rows, and writes each table to NAME.parquet. In the dataset's folder:\n\
         --   duckdb corpus.db < schema/load_duckdb.sql\n",
    );
    for table in tables {
        let shape = table.shape();
        let columns = shape.fields().iter();
        let columns = columns.map(|field| {
            let mut of = String::new();
            duckdb_type(&mut of, &field.shape);
            format!("  {}: {}", quoted(&field.name, '\''), quoted(&of, '\''))
        });
        let longest = if table.longest < DUCKDB_LINE {
            String::new()
        } else {
            format!(" maximum_object_size = {},", 2 * table.longest)
        };
        let _ = write!(
            sql,
            "\nCREATE OR REPLACE TABLE {} AS FROM read_json({}, format = 'newline_delimited',{longest} columns = {{\n{}\n}});\n",
            quoted(table.stem, '"'),
            quoted(&table.file.name, '\''),
            columns.collect::<Vec<_>>().join(",\n"),
        );
    }
    sql.push('\n');
    for Table { stem, .. } in tables {
        let parquet = quoted(&format!("{stem}.parquet"), '\'');
        let _ = writeln!(sql, "COPY {} TO {parquet} (FORMAT parquet, COMPRESSION zstd);", quoted(stem, '"'));
    }
    sql
}

/// The recursion is as deep as the shape, which is limited.
fn duckdb_type(sql: &mut String, shape: &ValueType) {
    let end = match shape {
        ValueType::Text => "VARCHAR",
        ValueType::Time => "TIMESTAMPTZ",
        ValueType::Integer => "BIGINT",
        ValueType::Number => "DOUBLE",
        ValueType::Boolean => "BOOLEAN",
        ValueType::List(element) => {
            duckdb_type(sql, element);
            "[]"
        }
        ValueType::Object(fields) => {
            for (at, field) in fields.iter().enumerate() {
                sql.push_str(if at == 0 { "STRUCT(" } else { ", " });
                sql.push_str(&quoted(&field.name, '"'));
                sql.push(' ');
                duckdb_type(sql, &field.shape);
            }
            if fields.is_empty() { "STRUCT()" } else { ")" }
        }
        ValueType::Null | ValueType::Json => "JSON",
    };
    sql.push_str(end);
}

/// A name or a string in SQL.
fn quoted(text: &str, quote: char) -> String {
    let mut sql = String::with_capacity(text.len() + 2);
    sql.push(quote);
    for (at, part) in text.split(quote).enumerate() {
        if at > 0 {
            sql.extend([quote; 2]);
        }
        sql.push_str(part);
    }
    sql.push(quote);
    sql
}
