//! Checkpoints of a training as bytes: a line of JSON, and lists of numbers that are all of one
//! length.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of a head and some lists.
pub fn to_bytes(head: &impl Serialize, lists: &[&[f32]]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(head).expect("numbers can be written");
    bytes.push(b'\n');
    for list in lists {
        bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

/// The head and `N` lists of `count` numbers; `None` if the bytes are not those of such a training.
pub fn from_bytes<H: DeserializeOwned, const N: usize>(
    bytes: &[u8],
    count: usize,
) -> Option<(H, [Vec<f32>; N])> {
    let line = bytes.iter().position(|&byte| byte == b'\n')?;
    let head = serde_json::from_slice(&bytes[..line]).ok()?;
    let (numbers, rest) = bytes[line + 1..].as_chunks();
    if numbers.len() != N * count || !rest.is_empty() {
        return None;
    }
    let mut read = numbers.iter().copied().map(f32::from_le_bytes);
    Some((head, std::array::from_fn(|_| read.by_ref().take(count).collect())))
}
