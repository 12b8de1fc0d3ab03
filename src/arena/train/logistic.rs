//! The logistic curve from scores to expected results.

/// Centi-men for which the odds of winning grow by a factor of e.
pub(super) const SCALE: f32 = 125.0;

/// The logistic function by the basic operations, which give the same result on every machine.
pub(super) fn sigmoid(x: f32) -> f32 {
    let x = x.clamp(-30.0, 30.0);
    1.0 / (1.0 + exp(-x))
}

/// Returns e to the power of a number: two to an integer, times a polynomial of the rest.
fn exp(x: f32) -> f32 {
    let power = x * std::f32::consts::LOG2_E;
    let whole = power.floor();
    let rest = (power - whole) * std::f32::consts::LN_2;
    let series = (1..=8).rev().fold(1.0, |sum, n| 1.0 + sum * rest / n as f32);
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_is_exact_enough() {
        for n in -200..=200 {
            let x = n as f32 / 10.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-6, "{x}: {} {exact}", sigmoid(x));
        }
    }
}
