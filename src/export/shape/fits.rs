//! Whether a record fits a shape, in one strict pass over its bytes that parses nothing: strings and numbers are only told
//! apart. On its way the pass sees what a manifest counts, so that a record that fits is read once.
//! What this calls unfit is looked at again by a parser, so it may be too strict (a key with an escape), never too lenient.

use super::{Field, Form, Shape};
use crate::export::tally::References;
use crate::ndjson::Walk;
use std::ops::Range;

/// Digits that every 64-bit integer has room for.
const SAFE_DIGITS: usize = 18;

impl Shape {
    /// Whether this JSON fits: no key that the shape does not have, none missing that is required, no value of another type.
    pub fn fits(&self, json: &[u8]) -> bool {
        self.pass(json).is_some()
    }

    /// What is seen in a record that fits; none if it does not.
    pub fn pass(&self, json: &[u8]) -> Option<Seen> {
        let mut pass = Pass { json, walk: Walk::new(json), seen: Seen::default(), reference: Reference::default() };
        pass.value(self, Part::Record)?;
        pass.walk.end()?;
        Some(pass.seen)
    }
}

/// What a manifest counts of one record.
#[derive(Default)]
pub struct Seen {
    /// Where the values of [`Seen::TEXTS`] stand.
    pub texts: [Option<Range<usize>>; Seen::TEXTS.len()],
    /// Its [`Seen::LISTS`], counted.
    pub lists: [References; Seen::LISTS.len()],
    /// A link, an image or a translation is not what its name says: it must be looked at more closely.
    pub odd: bool,
}

impl Seen {
    /// Keys whose values are texts.
    pub const TEXTS: [&str; 6] = ["site", "kind", "type", "language", "translation_group", "text_rules"];

    /// Keys of lists of references.
    pub const LISTS: [&str; 3] = ["links", "images", "translations"];
}

/// What a value is a part of.
#[derive(Clone, Copy)]
enum Part {
    Record,
    /// One of [`Seen::LISTS`].
    List(usize),
    Reference,
    Target,
    Other,
}

impl Part {
    /// What the value of this key is.
    fn of_key(self, name: &str) -> Part {
        match self {
            Part::Record => Seen::LISTS.iter().position(|list| *list == name).map_or(Part::Other, Part::List),
            Part::Reference if name == "target" => Part::Target,
            _ => Part::Other,
        }
    }
}

#[derive(Default)]
struct Reference {
    internal: bool,
    resolved: bool,
}

struct Pass<'j> {
    json: &'j [u8],
    walk: Walk<'j>,
    seen: Seen,
    /// The reference that is passed.
    reference: Reference,
}

impl Pass<'_> {
    /// Where the value stood. The depth of the calls is that of the shape, not of the input.
    fn value(&mut self, shape: &Shape, part: Part) -> Option<Range<usize>> {
        let first = self.walk.peek()?;
        let start = self.walk.at();
        match (first, &shape.form) {
            (b'n', _) => return self.walk.value().filter(|_| shape.null),
            (b'"', Form::Text) | (b't' | b'f', Form::Boolean) => return self.walk.value(),
            (_, Form::Any) => {
                // Nothing is seen of what is inside.
                self.seen.odd |= matches!(part, Part::List(_) | Part::Reference | Part::Target);
                return self.walk.value();
            }
            (b'-' | b'0'..=b'9', form @ (Form::Integer | Form::Number)) => {
                let place = self.walk.value()?;
                let digits = &self.json[place.clone()];
                let integer = digits.len() <= SAFE_DIGITS && !digits.iter().any(|b| b".eE".contains(b));
                return (integer || *form == Form::Number).then_some(place);
            }
            (b'[', Form::List(element)) => self.list(element, part)?,
            (b'{', Form::Object(fields)) => self.object(fields, part)?,
            _ => return None,
        }
        Some(start..self.walk.at())
    }

    fn list(&mut self, element: &Shape, part: Part) -> Option<()> {
        self.walk.open(b'[')?;
        while self.walk.element()? {
            let Part::List(list) = part else {
                self.value(element, Part::Other)?;
                continue;
            };
            self.reference = Reference::default();
            let place = self.value(element, Part::Reference)?;
            self.seen.odd |= self.json[place.start] != b'{';
            let Reference { internal, resolved } = self.reference;
            self.seen.lists[list].add(References {
                found: 1,
                internal: internal.into(),
                resolved: resolved.into(),
                dangling: (internal && !resolved).into(),
            });
        }
        Some(())
    }

    fn object(&mut self, fields: &[Field], part: Part) -> Option<()> {
        let mut missing = fields.iter().filter(|field| field.required).count();
        self.walk.open(b'{')?;
        let mut next = 0;
        while let Some(at) = self.field(fields, next)? {
            let Field { name, shape, required, .. } = &fields[at];
            next = at + 1;
            missing -= usize::from(*required);
            let inner = part.of_key(name);
            let place = self.value(shape, inner)?;
            match part {
                Part::Record => self.see_field(name, place, inner),
                Part::Reference | Part::Target => self.see_reference(part, name, place),
                Part::List(_) | Part::Other => {}
            }
        }
        (missing == 0).then_some(())
    }

    /// Passes a key: which field it is, from `next` on; an inner none at the object's end.
    fn field(&mut self, fields: &[Field], next: usize) -> Option<Option<usize>> {
        // Keys come in their order, most of the time.
        if fields.get(next).is_some_and(|field| self.walk.passes(&field.written)) {
            return Some(Some(next));
        }
        let Some(key) = self.walk.key()? else { return Some(None) };
        Some(Some(next + fields[next..].iter().position(|field| field.name.as_bytes() == key)?))
    }

    fn see_field(&mut self, name: &str, place: Range<usize>, part: Part) {
        if matches!(part, Part::List(_)) {
            self.seen.odd |= !matches!(self.json[place.start], b'[');
        } else if let Some(text) = Seen::TEXTS.iter().position(|text| *text == name) {
            self.seen.texts[text] = Some(place);
        }
    }

    fn see_reference(&mut self, part: Part, name: &str, place: Range<usize>) {
        let value = &self.json[place];
        match (part, name) {
            (Part::Reference, "internal") => {
                self.reference.internal = value == b"true";
                self.seen.odd |= !matches!(value, b"true" | b"false" | b"null");
            }
            (Part::Reference, "target") => self.seen.odd |= value != b"null" && value[0] != b'{',
            (Part::Target, "type") => self.reference.resolved = value != b"null",
            _ => {}
        }
    }
}
