//! The five stages; none knows another.

pub mod index;
