//! Random numbers that are the same in every run.

/// A generator of random numbers (xorshift).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number below a limit, or 0 if the limit is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
