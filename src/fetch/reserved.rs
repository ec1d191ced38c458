//! Finds the rights that a site reserves, for fetch.json: text and data mining, by TDMRep (<https://www.w3.org/community/reports/tdmrep/>),
//! and which robots for language models and data sets its robots.txt forbids. Whether a use is allowed is left to people.

use super::address::origin;
use super::answer::Want;
use super::discover::Home;
use super::session::{Ask, Session, Stop};
use crate::rights::tdm_rules;
use serde::Serialize;

/// The reservations of a site.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Reserved {
    /// Whether text and data mining is reserved, by the header of the front page or anywhere in tdmrep.json.
    tdm: bool,
    /// The URL of the terms.
    policy: Option<String>,
    /// The robots that robots.txt names and bars from the front page.
    agents: Vec<&'static str>,
}

impl Reserved {
    /// Requests tdmrep.json, and combines it with the headers of the front page and with robots.txt.
    pub(super) fn ask(session: &mut Session<'_>, home: &Home, agents: Vec<&'static str>) -> Result<Self, Stop> {
        let url = format!("{}/.well-known/tdmrep.json", origin(&home.url));
        let answer = session.ask(&Ask { once: true, ..Ask::new(url, Want::Text) })?;
        let body = if answer.verdict.error().is_none() { answer.response.body.as_slice() } else { b"" };
        let mut reserved = Reserved::read(body, agents);
        if home.tdm_reservation.as_deref().map(str::trim) == Some("1") {
            reserved.tdm = true;
            reserved.policy = home.tdm_policy.clone().or(reserved.policy);
        }
        Ok(reserved)
    }

    fn read(tdmrep: &[u8], agents: Vec<&'static str>) -> Self {
        let rules = tdm_rules(tdmrep);
        let mut reserved = rules.into_iter().filter(|rule| rule.is_reserved == Some(true)).peekable();
        Reserved { tdm: reserved.peek().is_some(), policy: reserved.find_map(|rule| rule.policy), agents }
    }

    /// The reservations in words; empty if there are none.
    pub(super) fn in_words(&self) -> String {
        let mut text = String::new();
        if self.tdm {
            text += "; the site reserves text and data mining";
            text += &self.policy.iter().map(|policy| format!(" ({policy})")).collect::<String>();
        }
        if !self.agents.is_empty() {
            let more =
                if self.agents.len() > 5 { format!(" and {} more", self.agents.len() - 5) } else { String::new() };
            let first = &self.agents[..self.agents.len().min(5)];
            text += &format!("; its robots.txt forbids {}{more}", first.join(", "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_reserves_is_told_whatever_else_it_holds() {
        let read = |text: &str| Reserved::read(text.as_bytes(), Vec::new());
        let all = read(
            r#"[{"location":"/a","tdm-reservation":0},{"location":"/","tdm-reservation":1,"tdm-policy":"https://a.example/p"}]"#,
        );
        assert_eq!(all.in_words(), "; the site reserves text and data mining (https://a.example/p)");
        for nothing in ["", "<html>", "{}", "[]", r#"[{"location":"/","tdm-reservation":0}]"#, r#"[{"tdm-policy":7}]"#]
        {
            assert_eq!(read(nothing), Reserved::default(), "{nothing}");
        }
    }
}
