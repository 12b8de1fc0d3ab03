//! Content security policies: a page allows its own script and style alone, by their hashes.

/// Returns the policy of a page with a style, and with a script if it has one: nothing else runs, and nothing is loaded.
pub(super) fn policy(script: Option<&str>, style: &str) -> String {
    let style = format!("style-src '{}'", source(style));
    script.map_or_else(
        || format!("default-src 'none'; {style}"),
        |script| {
            format!(
                "default-src 'none'; script-src '{}'; {style}; img-src data:; base-uri 'none'; form-action 'none'; \
                 require-trusted-types-for 'script'",
                source(script)
            )
        },
    )
}

/// Returns the source of a text in a policy: its SHA-256 in Base64.
fn source(text: &str) -> String {
    format!("sha256-{}", base64(&sha256(text.as_bytes())))
}

/// The fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The fractional parts of the square roots of the first eight primes (section 5.3.3).
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Returns the SHA-256 of bytes (FIPS 180-4). Pages need one hash each, which is not worth seven crates in every build.
fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    let hash = padded.chunks_exact(64).fold(START, |state, block| {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        for n in 16..64 {
            let (a, b) = (words[n - 15], words[n - 2]);
            let first = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let second = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            words[n] = words[n - 16].wrapping_add(first).wrapping_add(words[n - 7]).wrapping_add(second);
        }
        let mixed = words.iter().zip(ROUNDS).fold(state, |[a, b, c, d, e, f, g, h], (&word, round)| {
            let choice = (e & f) ^ (!e & g);
            let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let one = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            let two = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(majority);
            [one.wrapping_add(two), a, b, c, d.wrapping_add(one), e, f, g]
        });
        std::array::from_fn(|n| state[n].wrapping_add(mixed[n]))
    });
    std::array::from_fn(|n| hash[n / 4].to_be_bytes()[n % 4])
}

/// Returns bytes in Base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, n| number << 8 | usize::from(three.get(n).copied().unwrap_or_default()));
        for digit in 0..4 {
            let is_needed = digit <= three.len();
            text.push(if is_needed { char::from(DIGITS[number >> (18 - 6 * digit) & 63]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn hashes_are_those_of_other_programs() {
        // Around the lengths at which another block begins.
        for length in (0..200).chain([1000, 65_536]) {
            let text: String = ('!'..='~').cycle().take(length).collect();
            assert_eq!(source(&text), format!("sha256-{}", STANDARD.encode(Sha256::digest(&text))), "{length}");
        }
        for length in 0..5 {
            let bytes = &[0xff, 0, 0x7f, 0x80, 0x3e][..length];
            assert_eq!(super::base64(bytes), STANDARD.encode(bytes));
        }
    }
}
