//! Chance that is the same everywhere and for ever: SplitMix64, seeded by what the number is drawn for. Every thing of
//! a site can therefore be made from its number alone, in any order, without a plan in memory.

/// A sequence of numbers.
pub struct Chance(u64);

/// The constants of <https://prng.di.unimi.it/splitmix64.c>.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Chance {
    /// The sequence of one thing: `what` says of which sort, `number` which one.
    pub fn of(seed: u64, what: u64, number: u64) -> Self {
        Chance(mix(mix(mix(seed) ^ what) ^ number))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(end)) >> 64) as u64
    }

    /// A number from `first` to `last`, both possible.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// True `percent` times in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some.
    pub fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }

    /// One of some, each as often as its weight says.
    pub fn weighted<'a, T>(&mut self, of: &'a [(u64, T)]) -> &'a T {
        let mut left = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, thing) in of {
            if left < *weight {
                return thing;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of all weights")
    }
}
