//! Writes indented JSON like serde_json, but directly as text: with serde's values, the documents of a dataset took a third of a small
//! run.

/// JSON text that is being written.
#[derive(Default)]
pub(super) struct Pretty {
    pub(super) text: Vec<u8>,
    depth: usize,
    /// Whether the innermost list or object has an element.
    has_some: bool,
}

impl Pretty {
    /// Continues `text` with a value that is nested in `depth` lists and objects.
    pub(super) fn after(text: Vec<u8>, depth: usize) -> Self {
        Pretty { text, depth, has_some: false }
    }

    fn line(&mut self) {
        self.text.push(b'\n');
        self.text.resize(self.text.len() + 2 * self.depth, b' ');
    }

    /// Begins the next element of a list.
    pub(super) fn element(&mut self) -> &mut Self {
        if self.has_some {
            self.text.push(b',');
        }
        self.has_some = true;
        self.line();
        self
    }

    /// Begins the next field of an object.
    pub(super) fn key(&mut self, key: &str) -> &mut Self {
        self.element().string(&[key]);
        self.text.extend_from_slice(b": ");
        self
    }

    pub(super) fn open(&mut self, bracket: u8) {
        self.text.push(bracket);
        self.depth += 1;
        self.has_some = false;
    }

    pub(super) fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        if self.has_some {
            self.line();
        }
        self.text.push(bracket);
        self.has_some = true;
    }

    /// A string, in several parts.
    pub(super) fn string(&mut self, parts: &[&str]) {
        self.text.push(b'"');
        for part in parts {
            let is_plain = part.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
            let escaped = if is_plain { String::new() } else { serde_json::Value::from(*part).to_string() };
            self.text.extend_from_slice(if is_plain { part } else { &escaped[1..escaped.len() - 1] }.as_bytes());
        }
        self.text.push(b'"');
    }

    /// A number, true or false.
    pub(super) fn plain(&mut self, value: &str) {
        self.text.extend_from_slice(value.as_bytes());
    }
}
