//! Text made safe for HTML and SVG, and how wide it is about to be.

/// Appends text, escaped so that it is text wherever it stands: between tags or in an attribute.
/// Characters that XML cannot hold become the replacement character.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
}

/// The text, escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text);
    out
}

/// Does the character take a full square, as kana and kanji do?
pub(crate) fn is_wide(character: char) -> bool {
    matches!(
        u32::from(character),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f
            | 0xff01..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd
    )
}

/// About how wide the text is at this size. The font is the reader's, so the guess is on the wide
/// side of the usual ones: labels get room to spare rather than too little.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let ems = |character: char| match character {
        _ if is_wide(character) => 1.0,
        ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'i' | 'j' | 'l' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | 'I' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        'A'..='Z' | '−' | '+' | '±' | '×' | '=' => 0.7,
        _ => 0.6,
    };
    text.chars().map(ems).sum::<f64>() * size
}

/// The text cut to a width, with an ellipsis where something is missing.
pub(crate) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if text_width(&kept, size) + size > width {
            kept.pop();
            break;
        }
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("<b a=\"x\">&'"), "&lt;b a=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(escaped("a\0b\u{1b}c\u{85}d\u{ffff}"), "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(escaped("歩\tと\n"), "歩\tと\n");
    }

    #[test]
    fn long_text_is_cut_to_its_place() {
        assert_eq!(fitted("short", 10.0, 100.0), "short");
        let cut = fitted("a rather long label", 10.0, 60.0);
        assert!(cut.ends_with('…') && text_width(&cut, 10.0) <= 64.0, "{cut}");
        assert_eq!(fitted("歩歩歩歩", 10.0, 25.0), "歩…");
    }
}
