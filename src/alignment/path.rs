//! Finds the cheapest monotone path from the start of two lists to their ends. The caller defines the cost of a step.

use std::ops::RangeInclusive;

/// How far from the diagonal a path may go, so that time and memory grow with the length of the lists, not with its square.
const BAND: usize = 250;

/// A step: how many elements of each list it takes.
pub(super) type Step = (usize, usize);

/// Returns the path, and whether the band excluded other paths.
pub(super) fn path(
    (n, m): (usize, usize),
    steps: &[Step],
    mut cost: impl FnMut(usize, usize, Step) -> f64,
) -> (Vec<Step>, bool) {
    let deepest = steps.iter().map(|step| step.0).max().unwrap_or(0);
    // The costs of the last rows, and for all rows the steps by which their cells are reached.
    let mut sums: Vec<Vec<f64>> = Vec::new();
    let mut taken: Vec<Vec<u8>> = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let columns = band(i, n, m);
        let (mut row, mut back) = (vec![f64::INFINITY; columns.clone().count()], vec![0; columns.clone().count()]);
        for j in columns.clone() {
            let at = j - columns.start();
            if (i, j) == (0, 0) {
                row[at] = 0.0;
                continue;
            }
            for (number, &(down, right)) in steps.iter().enumerate() {
                let (Some(above), Some(left)) = (i.checked_sub(down), j.checked_sub(right)) else { continue };
                let before = match down {
                    0 => left.checked_sub(*columns.start()).map(|at| row[at]),
                    _ => cell(&sums[sums.len() - down], &band(above, n, m), left),
                };
                let Some(before) = before else { continue };
                let sum = before + cost(i, j, (down, right));
                if sum < row[at] {
                    (row[at], back[at]) = (sum, number as u8);
                }
            }
        }
        sums.push(row);
        taken.push(back);
        if sums.len() > deepest {
            sums.remove(0);
        }
    }
    let (mut i, mut j, mut found) = (n, m, Vec::new());
    while (i, j) != (0, 0) {
        let step = steps[usize::from(taken[i][j - band(i, n, m).start()])];
        found.push(step);
        (i, j) = (i - step.0, j - step.1);
    }
    found.reverse();
    (found, m > BAND && band(0, n, m) != (0..=m))
}

/// The columns of a row that are within the band. The bands of adjacent rows overlap, however steep the diagonal is.
fn band(row: usize, n: usize, m: usize) -> RangeInclusive<usize> {
    let on_diagonal = |row: usize| (row as u128 * m as u128 / n.max(1) as u128) as usize;
    let last = on_diagonal((row + 1).min(n)).min(m) + BAND;
    on_diagonal(row.saturating_sub(1)).saturating_sub(BAND)..=if n == 0 { m } else { last.min(m) }
}

fn cell(row: &[f64], columns: &RangeInclusive<usize>, column: usize) -> Option<f64> {
    row.get(column.checked_sub(*columns.start())?).copied()
}
