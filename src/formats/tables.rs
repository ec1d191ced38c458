//! Holds the formats that are tables or graphs: rows, columns or nodes for records and their references.

pub(crate) mod csv;
pub(crate) mod edges;
pub(crate) mod graph;
pub(crate) mod graphml;
pub(crate) mod wpextract;
