//! Finds statements about the rights in a text: licences, reservations, copyright lines. A statement is what a site says about rights,
//! whether or not it is right. Parses the forms that sites use, wherever they occur: headers, page heads, HTML, robots.txt. The stages
//! above know which text they read, and combine the results.

mod agents;
mod files;
mod head;
mod headers;
mod ids;
mod json_ld;
mod licence;
mod markup;
mod metadata;
mod names;
mod nouns;
mod places;
mod sentence;
mod statement;
mod subject;
mod template;
mod title;
mod words;

#[cfg(feature = "fetch")]
pub(crate) use agents::forbidden_agents;
#[cfg(feature = "fetch")]
pub(crate) use files::tdm_rules;
pub(crate) use files::{Files, LONGEST};
pub(crate) use head::HeadRights;
pub(crate) use headers::Headers;
pub(crate) use json_ld::nodes;
pub(crate) use licence::links_only_to;
pub(crate) use markup::{Listener, Markup};
pub(crate) use metadata::Metadata;
pub(crate) use places::Where;
pub(crate) use statement::{RawStatement, beside, merge, settle};
pub(crate) use template::Repeated;
