//! The five stages; none knows another.

pub mod export;
pub mod index;
