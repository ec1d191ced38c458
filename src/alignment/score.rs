//! Gives each link between sentences a score: the share of links with this score that are right.
//!
//! The score is a logistic regression over features of the link, of the links around it, and of the two documents: a link that
//! fits among links that do not fit is a coincidence, and so is one whose words are translated elsewhere. docs/measured.md
//! describes the data that it was fitted to, and how well it holds elsewhere.

use super::document::{Document, Sentence};
use super::evidence::Evidence;
use super::{Link, sentences};

const SEEN: usize = 12;

/// The weights of the features, in the order in which [`score`] lists them.
const WEIGHTS: [f64; SEEN] = [6.197, -1.005, -0.808, -1.452, 0.786, -1.202, -5.464, 0.343, 3.54, -2.26, -2.45, -0.46];

/// The worst badness of a link, which sentences without a counterpart have.
const WORST: f64 = 4.0;
/// The badness assumed for an unknown link.
const UNKNOWN: f64 = 2.0;
/// The number of unknown links that are added to each pair of documents: a few links may fit by chance.
const FEW: f64 = 4.0;
/// How many links before and after a link contribute to its score.
const AROUND: usize = 3;

pub(super) fn score((from, to): (&Document, &Document), ratio: f64, evidence: &Evidence, links: &mut [Link]) {
    let length = |sentences: &[Sentence]| sentences.iter().map(|sentence| sentence.length).sum::<usize>() as f64;
    let misfit = |link: &Link| {
        let (ours, theirs) = (&from.sentences[link.from.clone()], &to.sentences[link.to.clone()]);
        sentences::misfit(length(ours) * ratio, length(theirs)).min(WORST)
    };
    let is_bad = |link: &Link| match link.from.len() + link.to.len() {
        _ if link.is_one_sided() => WORST,
        count => {
            let alike = evidence.of_sentences(link.from.clone(), link.to.clone());
            (misfit(link) + f64::from(u8::from(count > 2)) - alike).clamp(0.0, WORST)
        }
    };
    let badness: Vec<f64> = links.iter().map(is_bad).collect();
    // A document that leaves out parts of the other one fits nevertheless.
    let weight = |link: &Link| if link.is_one_sided() { 0.5 } else { 1.0 };
    let (count, sum) = links
        .iter()
        .zip(&badness)
        .fold((FEW, FEW * UNKNOWN), |(count, sum), (link, bad)| (count + weight(link), sum + weight(link) * bad));
    let whole = sum / count;
    for at in 0..links.len() {
        let link = &links[at];
        let (ours, theirs) = (&from.sentences[link.from.clone()], &to.sentences[link.to.clone()]);
        let (Some(last), Some(other)) = (ours.last(), theirs.last()) else { continue };
        let around = at.saturating_sub(AROUND)..(at + 1 + AROUND).min(links.len());
        let others = around.len() - 1;
        let of_others = badness[around].iter().sum::<f64>() - badness[at];
        let count = ours.len() + theirs.len();
        let (shared, single) = evidence.of_words(link.from.clone(), link.to.clone());
        let unshared = if single > 0.0 { single / (shared + single) } else { 0.0 };
        let seen: [f64; SEEN] = [
            1.0,
            f64::from(u8::from(count > 2)),
            f64::from(u8::from(count > 3)),
            misfit(link),
            sentences::ends(&last.text, &other.text),
            if others == 0 { UNKNOWN } else { of_others / others as f64 },
            whole,
            length(ours).min(length(theirs)).max(1.0).ln(),
            f64::from(u8::from(shared + single > 0.0)),
            unshared,
            unshared * unshared,
            crossed(links, at, evidence),
        ];
        let sum: f64 = seen.iter().zip(WEIGHTS).map(|(seen, weight)| seen * weight).sum();
        links[at].score = Some((1000.0 / (1.0 + (-sum).exp())).round() / 1000.0);
    }
}

/// How many more words a link and its neighbour share crosswise than each does with its own counterpart.
fn crossed(links: &[Link], at: usize, evidence: &Evidence) -> f64 {
    let shared = |one: &Link, other: &Link| evidence.of_words(one.from.clone(), other.to.clone()).0;
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| links.get(at));
    let crossed = beside.filter(|other| !other.is_one_sided()).map(|other| {
        let link = &links[at];
        shared(link, other) + shared(other, link) - shared(link, link) - shared(other, other)
    });
    crossed.fold(0.0, f64::max).min(4.0)
}
