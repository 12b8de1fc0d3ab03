//! Repairs of the values of tags and of comments: HTML entities, escaped apostrophes, whitespace at the ends, times.

use std::borrow::Cow;

use crate::canon::{Edit, EditKind, TextRepair};
use crate::diag::Span;
use crate::pdn::{Attachment, GameTree, Tag};

/// Entities whose names are not those of letters with accents.
const SIGNS: [(&str, char); 13] = [
    ("quot", '"'),
    ("apos", '\''),
    ("lt", '<'),
    ("gt", '>'),
    ("nbsp", '\u{a0}'),
    ("yuml", 'ÿ'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("hellip", '…'),
];

/// The letters of Latin-1 from U+00C0 on, by the names of their entities.
const LETTERS: [&str; 32] = [
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml",
    "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times",
    "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig",
];

// That of the last character, `#x10FFFF`.
/// Maximum length of the name or number of an entity, in bytes.
const MAX_ENTITY: usize = 8;

/// Maximum number of characters of a text shown in an edit.
const SHOWN: usize = 60;

/// Repairs the value of a tag.
pub(super) fn repair_value(tag: &mut Tag, edits: &mut Vec<Edit>) {
    let is_time = matches!(tag.name(), "Time" | "UTCTime" | "WhiteTime" | "BlackTime");
    for (repair, repaired) in [
        (TextRepair::Entities, decoded as Repaired),
        (TextRepair::Apostrophes, unescaped),
        (TextRepair::Whitespace, |value| value.trim().into()),
        (TextRepair::Time, |value| padded_time(value).map_or(Cow::Borrowed(value), Cow::Owned)),
    ] {
        let better = repaired(tag.value());
        if better == tag.value() || repair == TextRepair::Time && !is_time {
            continue;
        }
        let better = better.into_owned();
        edits.push(edit(tag.span(), repair, tag.value(), &better));
        tag.set_value(better);
    }
}

/// Repairs the comments of a game.
pub(super) fn repair_comments(tree: &mut GameTree, edits: &mut Vec<Edit>) {
    tree.lines_mut().for_each(|line| repair_list(line.intro_mut(), edits));
    repair_list(tree.lead_mut(), edits);
    repair_list(tree.tail_mut(), edits);
    let of_nodes = tree.nodes_mut().filter_map(|(_, node)| node.existing_attachments_mut());
    of_nodes.for_each(|after| repair_list(after, edits));
}

type Repaired = fn(&str) -> Cow<'_, str>;

/// How comments are repaired.
const OF_COMMENTS: [(TextRepair, Repaired); 2] =
    [(TextRepair::Entities, decoded), (TextRepair::Apostrophes, unescaped)];

fn repair_list(list: &mut [Attachment], edits: &mut Vec<Edit>) {
    for item in list {
        // Stray text becomes a comment.
        if let Attachment::Comment { text, span }
        | Attachment::LineComment { text, span }
        | Attachment::Stray { text, span } = item
        {
            repair_comment(text, *span, edits);
        }
    }
}

/// Repairs the text of a comment.
pub(crate) fn repair_comment(text: &mut String, span: Span, edits: &mut Vec<Edit>) {
    for (repair, repaired) in OF_COMMENTS {
        let better = repaired(text);
        let trimmed = better.trim();
        if better == text.as_str() || trimmed.is_empty() {
            continue;
        }
        edits.push(edit(span, repair, text, trimmed));
        *text = trimmed.to_owned();
    }
}

fn edit(span: Span, repair: TextRepair, from: &str, to: &str) -> Edit {
    let shown = |text: &str| match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    Edit::new(span, EditKind::TextRepaired { repair, from: shown(from), to: shown(to) })
}

/// Returns a text with its HTML entities decoded. Entities that are unknown, or that represent a control character or a brace,
/// which would end a comment, are left unchanged.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        // Texts that went through two programs have `&amp;eacute;`.
        while let Some(after) = rest.strip_prefix("amp;") {
            rest = after;
        }
        match entity(rest) {
            Some((letter, after)) => {
                plain.push(letter);
                rest = after;
            }
            None => plain.push('&'),
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Returns the character of the entity at the start of a text without its `&`, and what follows it.
fn entity(text: &str) -> Option<(char, &str)> {
    let end = text.bytes().take(MAX_ENTITY + 1).position(|byte| byte == b';')?;
    let (name, rest) = (&text[..end], &text[end + 1..]);
    let letter = match name.strip_prefix('#') {
        Some(number) => {
            let hexadecimal = number.strip_prefix(['x', 'X']);
            let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
            // `from_str_radix` reads a sign.
            let code = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
            char::from_u32(u32::from_str_radix(code, radix).ok()?)?
        }
        None => named(name)?,
    };
    // The numbers of control characters are those of letters in one of the code pages: two readings.
    (!letter.is_control() && !matches!(letter, '{' | '}' | '\u{fffd}')).then_some((letter, rest))
}

fn named(name: &str) -> Option<char> {
    if let Some((_, sign)) = SIGNS.iter().find(|(known, _)| *known == name) {
        return Some(*sign);
    }
    let place = |name: &str| LETTERS.iter().position(|known| *known == name);
    // The name of a small letter has a small first letter, or only small ones: `eacute`, `aelig`.
    let capital = |name: &str| {
        let (first, rest) = name.split_at_checked(1)?;
        let first = first.to_ascii_uppercase();
        let others = [format!("{first}{rest}"), name.to_ascii_uppercase(), format!("AE{}", rest.get(1..)?)];
        others.iter().find_map(|capital| place(capital).filter(|_| capital.to_ascii_lowercase() == name))
    };
    // In Latin-1, small letters are 32 places after their capitals.
    let code = place(name).or_else(|| Some(32 + capital(name)?))?;
    char::from_u32(0xc0 + code as u32)
}

/// Returns a text without backslashes before apostrophes, written by programs that escape PDN as if it were a string literal.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("\\'") {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(apostrophe) = rest.find('\'') {
        plain.push_str(rest[..apostrophe].trim_end_matches('\\'));
        plain.push('\'');
        rest = &rest[apostrophe + 1..];
    }
    Cow::Owned(plain + rest)
}

/// Returns a time with two digits for minutes and seconds: `0:01:40` for `0:1:40`. `1.5` may be half an hour too, and `1:5` may
/// lack a digit.
fn padded_time(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let number =
        |part: &str, most: usize| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let small = |part: &str| number(part, 2) && part.parse::<u8>().is_ok_and(|value| value < 60);
    (number(hours, 3) && small(minutes) && small(seconds)).then(|| format!("{hours}:{minutes:0>2}:{seconds:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_characters() {
        for (text, plain) in [
            ("Andr&eacute; &#x00e9;&#233;", "André éé"),
            ("&Eacute;v&egrave;nement &ouml;&Ouml;&ccedil;&oslash;&AElig;&aelig;", "Évènement öÖçøÆæ"),
            ("&szlig;&yuml;&eth;&THORN;&thorn;&ETH;&times;", "ßÿðÞþÐ×"),
            ("A &amp; B", "A & B"),
            ("&amp;amp;eacute;", "é"),
            ("&#1048;&#x432;", "Ив"),
            // No entity, or not one that can be written.
            ("R&D; A&B &eacute &#;&#x;&#xg; &;", "R&D; A&B &eacute &#;&#x;&#xg; &;"),
            ("&#133; &#0; &#125; &#x110000; &#+65;", "&#133; &#0; &#125; &#x110000; &#+65;"),
        ] {
            assert_eq!(decoded(text), plain, "{text}");
            assert_eq!(decoded(plain), plain, "{plain}");
        }
    }

    #[test]
    fn apostrophes_have_no_backslashes() {
        for (text, plain) in
            [(r"d\'Afrique", "d'Afrique"), (r"d\\\'Afrique l\'", "d'Afrique l'"), (r"a\b 'c' \\", r"a\b 'c' \\")]
        {
            assert_eq!(unescaped(text), plain, "{text}");
        }
    }

    #[test]
    fn times_have_two_digits() {
        assert_eq!(padded_time("0:1:40").as_deref(), Some("0:01:40"));
        assert_eq!(padded_time("1:2:3").as_deref(), Some("1:02:03"));
        for text in ["1:5", "1.5", "0:1:75", "0::40", "a:1:2", "0:1:40:2"] {
            assert_eq!(padded_time(text), None, "{text}");
        }
    }

    #[test]
    fn long_ampersands_take_linear_time() {
        let text = "&amp;".repeat(200_000);
        assert_eq!(decoded(&text).len(), 200_000);
        let text = "&".to_owned() + &"amp;".repeat(200_000);
        assert_eq!(decoded(&text), "&");
    }
}
