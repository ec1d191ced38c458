//! Records which programs have processed a record, as one line of text per program: `wp-parse 0.3.0 --keep acf`. The steps are
//! stored in the record itself (`source.steps`), so that no filter can separate them from it. wp-export decides how to write them.

use crate::ndjson::{MAX_RECORD, Object, Str};
use crate::report::in_shell;
use memchr::memmem;
use std::fmt::Write;

/// The key of the steps in the object `source`.
const STEPS: &str = "steps";

/// The key as it appears in any JSON: inside a string, its second quotation mark would be preceded by a backslash.
const QUOTED: &[u8] = b"\"steps\":";

/// The step for unknown programs: a record arrived without steps, or without its first ones.
pub(crate) const UNKNOWN: &str = "unknown";

/// A program that has processed a record: its name, its version, and the options that change the output. If the value of an option
/// is a path, it is omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step(String);

impl Step {
    pub(crate) fn of(program: &str) -> Self {
        Step(format!("{program} {}", env!("CARGO_PKG_VERSION")))
    }

    /// Adds an option without a value, or an option whose value is a path.
    pub(crate) fn flag(mut self, option: &str, is_given: bool) -> Self {
        if is_given {
            self.0.extend([" ", option]);
        }
        self
    }

    /// Adds an option with each of these values.
    pub(crate) fn values<V: AsRef<str>>(mut self, option: &str, values: impl IntoIterator<Item = V>) -> Self {
        for value in values {
            let _ = write!(self.0, " {option} {}", in_shell(value.as_ref()));
        }
        self
    }

    /// Adds an option with a list of values.
    pub(crate) fn list(self, option: &str, values: &[String]) -> Self {
        self.values(option, (!values.is_empty()).then(|| values.join(",")))
    }

    /// Adds the longest length of a record, unless it is the default.
    pub(crate) fn max_record(self, bytes: usize) -> Self {
        self.values("--max-record", (bytes != MAX_RECORD).then(|| bytes.to_string()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends this step to the steps of a record. Equal consecutive steps are recorded once.
    pub(crate) fn append(&self, steps: &mut Vec<Str<'_>>) {
        if steps.is_empty() {
            steps.push(UNKNOWN.into());
        }
        if steps.last().is_none_or(|last| last.as_str() != self.0) {
            steps.push(self.0.clone().into());
        }
    }

    /// Returns the object `source` of a record with this step added; `None` if it is not an object or already ends with this step.
    fn edit(&self, source: &str) -> Option<String> {
        let mut source = Object::parse_str(source).ok()?;
        let read = |json| serde_json::from_str::<Vec<String>>(json).unwrap_or_default();
        let before: Vec<Str<'_>> = source.get(STEPS).map(read).unwrap_or_default().into_iter().map(Str::from).collect();
        let mut steps = before.clone();
        self.append(&mut steps);
        if steps.len() == before.len() {
            return None;
        }
        source.set_json(STEPS, &steps);
        Some(source.to_json())
    }
}

/// Whether records of this kind have steps.
pub(crate) fn has_steps(kind: &str) -> bool {
    matches!(kind, "post" | "html" | "media" | "term" | "user" | "comment")
}

/// Edits the steps of many records, most of which have the same steps.
pub(crate) struct Stepper<'s> {
    step: &'s Step,
    /// The text from the key on in the last object, and the edited text.
    last: (Vec<u8>, Option<Vec<u8>>),
}

impl<'s> Stepper<'s> {
    pub(crate) fn new(step: &'s Step) -> Self {
        Stepper { step, last: Default::default() }
    }

    /// Appends the edited object `source` of a record; returns false, and appends nothing, if it does not change.
    pub(crate) fn edit(&mut self, source: &[u8], out: &mut Vec<u8>) -> bool {
        // The text before the key differs between records; the text from the key on is mostly the same.
        let Some(at) = memmem::find(source, QUOTED) else { return self.edit_rare(source, out) };
        let (before, rest) = source.split_at(at);
        if memmem::find(&rest[1..], QUOTED).is_some() || before.contains(&b'\\') {
            return self.edit_rare(source, out);
        }
        if rest != self.last.0 {
            let edited = std::str::from_utf8(source).ok().and_then(|source| self.step.edit(source));
            self.last = match edited.as_deref().map(|edited| edited.as_bytes().strip_prefix(before)) {
                None => (rest.to_vec(), None),
                Some(Some(made)) => (rest.to_vec(), Some(made.to_vec())),
                Some(None) => return self.edit_rare(source, out),
            };
        }
        if let Some(made) = &self.last.1 {
            out.extend_from_slice(before);
            out.extend_from_slice(made);
        }
        self.last.1.is_some()
    }

    /// Edits an object in which the key is missing or in an unusual place.
    fn edit_rare(&self, source: &[u8], out: &mut Vec<u8>) -> bool {
        let edited = std::str::from_utf8(source).ok().and_then(|source| self.step.edit(source));
        out.extend_from_slice(edited.as_deref().unwrap_or_default().as_bytes());
        edited.is_some()
    }

    /// Adds the step to a record of a kind that has steps.
    pub(crate) fn mark(&mut self, object: &mut Object<'_>) {
        let mut edited = Vec::new();
        let is_changed = object.text("kind").is_some_and(|kind| has_steps(&kind))
            && object.get("source").is_some_and(|source| self.edit(source.as_bytes(), &mut edited));
        if is_changed && let Ok(edited) = String::from_utf8(edited) {
            object.set("source", edited);
        }
    }
}

/// Splits a step into program, version and options; a step in another form has only a name.
pub(crate) fn parts(step: &str) -> [Option<&str>; 3] {
    let mut words = step.splitn(3, ' ');
    let (program, version, options) = (words.next(), words.next(), words.next());
    match version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit())) {
        true => [program, version, options],
        false => [Some(step), None, None],
    }
}

/// Parses the JSON of the steps; anything but a list of strings counts as one unknown step.
pub(crate) fn read(json: &str) -> Vec<String> {
    let steps: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    if steps.is_empty() { vec![UNKNOWN.to_owned()] } else { steps }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step() -> Step {
        Step(r#"wp-x 1.0 --a '"['"#.to_owned())
    }

    fn edit(stepper: &mut Stepper<'_>, source: &str) -> Option<String> {
        let mut out = Vec::new();
        stepper.edit(source.as_bytes(), &mut out).then(|| String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_step_is_added_once_and_what_is_not_known_is_said() {
        let step = step();
        let mut stepper = Stepper::new(&step);
        let has =
            |steps: &[&str]| format!(r#"{{"file":"a","item":1,"steps":{}}}"#, serde_json::to_string(steps).unwrap());
        for _ in 0..2 {
            let once = edit(&mut stepper, &has(&["wp-index 1"])).unwrap();
            assert_eq!(once, has(&["wp-index 1", step.as_str()]));
            assert_eq!(edit(&mut stepper, &once), None);
            let other = edit(&mut stepper, &has(&[step.as_str(), "wp-y 1"])).unwrap();
            assert_eq!(other, has(&[step.as_str(), "wp-y 1", step.as_str()]));
        }
        for unknown in ["", r#","steps":null"#, r#","steps":[]"#, r#","steps":[1]"#, r#","steps":"x""#] {
            let edited = edit(&mut stepper, &format!(r#"{{"file":"a","item":1{unknown}}}"#)).unwrap();
            assert_eq!(edited, has(&[UNKNOWN, step.as_str()]), "{unknown}");
        }
        for other in ["null", "7", r#""steps":"#, "[]", "{", ""] {
            assert_eq!(edit(&mut stepper, other), None, "{other}");
        }
    }

    /// The same text from the key on may belong to different objects.
    #[test]
    fn what_was_made_of_one_record_is_not_taken_for_another() {
        let (step, sources) = (
            step(),
            [
                r#"{"steps":["wp-index 1"]}"#,
                r#"{"x":{"steps":["wp-index 1"]}}"#,
                r#"{"steps":["a"],"x":{"steps":["wp-index 1"]}}"#,
                r#"{"steps":["b"],"x":{"steps":["wp-index 1"]}}"#,
                r#"{"x":"\"steps\":","steps":["wp-index 1"]}"#,
                r#"{"steps":["a"],"steps":["wp-index 1"]}"#,
                r#"{"steps":["b"],"steps":["wp-index 1"]}"#,
                r#"{ "steps" : [ "wp-index 1" ] }"#,
                r#"{"st\u0065ps":["wp-index 1"]}"#,
            ],
        );
        let mut stepper = Stepper::new(&step);
        for (one, other) in sources.iter().flat_map(|one| sources.iter().map(move |other| (one, other))) {
            for source in [one, other] {
                assert_eq!(edit(&mut stepper, source), step.edit(source), "{one} {other}");
            }
        }
    }

    #[test]
    fn a_step_has_parts_and_is_read_whatever_it_is() {
        assert_eq!(parts("wp-parse 1.0 --keep a,b"), [Some("wp-parse"), Some("1.0"), Some("--keep a,b")]);
        assert_eq!(parts("wp-parse 1.0"), [Some("wp-parse"), Some("1.0"), None]);
        assert_eq!(parts("by hand"), [Some("by hand"), None, None]);
        assert_eq!(read("null"), [UNKNOWN]);
        assert_eq!(read(r#"["a","b"]"#), ["a", "b"]);
        let step = Step::of("wp-x").flag("--a", true).flag("--b", false).list("--c", &["d".into(), "e f".into()]);
        assert!(step.as_str().ends_with(" --a --c 'd,e f'"), "{step:?}");
    }
}
