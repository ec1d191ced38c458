//! What WordPress itself writes and answers, whatever the site: the addresses of its API, the names of its types. It knows no page and no
//! record; where sites, themes and plugins differ, who asks decides. Each fact names the function of WordPress' core that makes it
//! (<https://developer.wordpress.org/reference/>).

mod names;
mod rest;

pub(crate) use names::{STANDARD, common_name, is_default_category, of_rest_base};
pub(crate) use rest::{rest_home, rest_root, route, route_tail};
