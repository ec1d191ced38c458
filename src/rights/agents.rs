//! Finds the robots for language models and data sets that a robots.txt (RFC 9309) forbids.

use robotxt::Robots;

/// The names of these robots, a list with its date.
const AGENTS: &str = include_str!("agents.txt");

/// The robots in the list that a robots.txt names and bars from the front page, in the order of the list.
pub(crate) fn forbidden_agents(text: &[u8]) -> Vec<&'static str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines = String::from_utf8_lossy(text);
    let is_agent = |name: &str| name.trim().eq_ignore_ascii_case("user-agent");
    let named = lines.split(['\n', '\r']).filter_map(|line| line.split('#').next()?.split_once(':'));
    let named: Vec<&str> = named.filter(|(name, _)| is_agent(name)).map(|(_, agent)| agent.trim()).collect();
    let is_forbidden = |agent: &&str| {
        named.iter().any(|name| name.eq_ignore_ascii_case(agent))
            && !Robots::from_bytes(text, agent).is_relative_allowed("/")
    };
    AGENTS.lines().filter(|line| !line.starts_with('#')).filter(is_forbidden).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_forbidden_by_name() {
        let text = "User-agent: *\nDisallow: /\n\nuser-agent: gptbot # all of it\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow: /x/\n";
        assert_eq!(forbidden_agents(text.as_bytes()), ["CCBot", "GPTBot"]);
        assert_eq!(forbidden_agents(b"\xef\xbb\xbfUser-agent: GPTBot\rDisallow: /\r"), ["GPTBot"]);
        assert!(forbidden_agents(b"User-agent: *\nDisallow: /\n").is_empty());
    }
}
