//! From bytes to text and back.
//!
//! Records of shogi games are UTF-8 or Shift_JIS, and a few are UTF-16. Nothing but the bytes says
//! which, save for a first line such as `#KIF version=2.0 encoding=Shift_JIS` or
//! `'CSA encoding=UTF-8`.

use std::borrow::Cow;

use encoding_rs::{Encoding, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

use crate::{ParseError, ParseErrorKind, WriteError};

/// The text of a file.
///
/// A byte order mark decides the encoding. Without one, the encoding that the first line names is
/// tried first, then UTF-8, then Shift_JIS. The text must fit its encoding to the last byte; no
/// replacement characters are put in. The error names the first line that does not fit.
///
/// The lines of a text that has carriage returns alone, as the first Macintosh wrote it and some
/// programs still do if asked, come out with line feeds.
///
/// ```
/// let bytes = b"\x90\xe6\x8e\xe8";
/// assert_eq!(tesuji_records::decode(bytes).unwrap(), "先手");
/// ```
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ParseError> {
    let text = decode_lines(bytes)?;
    if text.contains('\r') && !text.contains('\n') {
        return Ok(text.replace('\r', "\n").into());
    }
    Ok(text)
}

fn decode_lines(bytes: &[u8]) -> Result<Cow<'_, str>, ParseError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, &bytes[mark..])
            .ok_or_else(|| ParseErrorKind::Encoding.at(first_bad_line(encoding, bytes)));
    }
    declared(bytes)
        .into_iter()
        .chain([UTF_8, SHIFT_JIS])
        .find_map(|encoding| decode_as(encoding, bytes))
        .ok_or_else(|| ParseErrorKind::Encoding.at(first_bad_line(SHIFT_JIS, bytes)))
}

fn decode_as<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes)
}

/// The encoding that a first line `#KIF version=2.0 encoding=…` or `'CSA encoding=…` names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let first = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let first = std::str::from_utf8(first).ok()?.trim().to_ascii_lowercase();
    let (_, name) = first.strip_prefix(['#', '\''])?.split_once("encoding=")?;
    // The names that other texts use for the bytes that Windows programs write.
    match name.trim() {
        "utf-8" | "utf8" => Some(UTF_8),
        "shift_jis" | "shift-jis" | "sjis" | "cp932" | "windows-31j" => Some(SHIFT_JIS),
        _ => None,
    }
}

/// In Shift_JIS and UTF-8 a line break is never part of another character, so that the lines can be
/// looked at one by one. In UTF-16 it can, and the line is not looked for.
fn first_bad_line(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return 1;
    }
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.position(|line| decode_as(encoding, line).is_none()).map_or(1, |index| index + 1)
}

/// The text in Shift_JIS, as programs for Windows want their `.kif` and `.ki2` files.
///
/// The error lists the characters that Shift_JIS does not have. A character that it has only
/// nearly, such as the yen sign that would come back as a backslash, counts as one of them.
pub fn encode_shift_jis(text: &str) -> Result<Vec<u8>, WriteError> {
    let bytes = SHIFT_JIS.encode(text).0;
    if decode_as(SHIFT_JIS, &bytes).is_some_and(|back| back == text) {
        return Ok(bytes.into_owned());
    }
    let mut missing: Vec<char> = text.chars().filter(|&c| !in_shift_jis(c)).collect();
    missing.sort_unstable();
    missing.dedup();
    let list: Vec<String> =
        missing.iter().map(|&c| format!("{c:?} (U+{:04X})", u32::from(c))).collect();
    Err(WriteError::Unsupported { format: "Shift_JIS", what: list.join(", ") })
}

fn in_shift_jis(character: char) -> bool {
    let mut buffer = [0; 4];
    let text = character.encode_utf8(&mut buffer);
    let bytes = SHIFT_JIS.encode(text).0;
    decode_as(SHIFT_JIS, &bytes).is_some_and(|back| back == *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_with_and_without_mark() {
        assert_eq!(decode("先手：羽生\n".as_bytes()).unwrap(), "先手：羽生\n");
        assert_eq!(decode("\u{feff}先手：羽生\n".as_bytes()).unwrap(), "先手：羽生\n");
        assert_eq!(decode(b"").unwrap(), "");
    }

    #[test]
    fn shift_jis_without_a_declaration() {
        let bytes = encode_shift_jis("後手：谷川\r\n▲７六歩\r\n").unwrap();
        assert_eq!(&bytes[..4], b"\x8c\xe3\x8e\xe8");
        assert_eq!(decode(&bytes).unwrap(), "後手：谷川\r\n▲７六歩\r\n");
    }

    #[test]
    fn utf16_with_mark() {
        let text = "先手：羽生\n";
        let little: Vec<u8> =
            "\u{feff}先手：羽生\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            "\u{feff}先手：羽生\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&little).unwrap(), text);
        assert_eq!(decode(&big).unwrap(), text);
        assert_eq!(decode(&little[..little.len() - 1]), Err(ParseErrorKind::Encoding.at(1)));
    }

    #[test]
    fn the_first_line_decides_where_both_encodings_fit() {
        // Half-width katakana in Shift_JIS, an accented letter in UTF-8.
        let bytes = b"#KIF version=2.0 encoding=Shift_JIS\n*\xc3\xb1\n";
        assert!(decode(bytes).unwrap().ends_with("*ﾃｱ\n"));
        let bytes = b"#KIF version=2.0 encoding=UTF-8\n*\xc3\xb1\n";
        assert!(decode(bytes).unwrap().ends_with("*ñ\n"));
    }

    #[test]
    fn a_wrong_declaration_is_seen_through() {
        let text = "#KIF version=2.0 encoding=Shift_JIS\n手合割：平手\n";
        assert_eq!(decode(text.as_bytes()).unwrap(), text);
        let text = "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n";
        assert_eq!(decode(&encode_shift_jis(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn bytes_that_are_no_text_name_their_line() {
        assert_eq!(
            decode(b"# a\n\x90\xe6\x8e\xe8\n*\xff\xfe\n"),
            Err(ParseErrorKind::Encoding.at(3))
        );
        assert_eq!(decode(b"\x90"), Err(ParseErrorKind::Encoding.at(1)));
        // The mark says UTF-8, the second line is not.
        assert_eq!(
            decode(b"\xef\xbb\xbf#\n\x90\xe6\x8e\xe8\n"),
            Err(ParseErrorKind::Encoding.at(2))
        );
    }

    #[test]
    fn what_shift_jis_lacks_is_listed_once() {
        let error = encode_shift_jis("☗７六歩 ☖３四歩 ☗２六歩 ¥").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Shift_JIS cannot hold '¥' (U+00A5), '☖' (U+2616), '☗' (U+2617)"
        );
    }
}
