//! Formats that are tables or graphs: a row, a column or a node for each record and what it refers to.

pub(crate) mod csv;
pub(crate) mod edges;
pub(crate) mod graph;
pub(crate) mod graphml;
pub(crate) mod wpextract;
