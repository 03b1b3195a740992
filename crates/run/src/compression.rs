//! Files that are compressed with zstd. Their names end in `.zst`, behind the extension of the format.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use zstd::stream::{read, write};

/// What the names of compressed files end in.
pub const EXTENSION: &str = "zst";

/// What compressed bytes begin with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Games are written once and read often.
const LEVEL: i32 = 19;

/// What one file may unpack to if nothing else is said: more than any collection that is known, and
/// little enough that a file made to fill the machine comes to an end.
pub const DEFAULT_MAX_UNPACKED: u64 = 64 << 30;

/// A limit of the whole process, as those of the system are.
static MAX_UNPACKED: AtomicU64 = AtomicU64::new(DEFAULT_MAX_UNPACKED);

/// Sets what one compressed file may unpack to, in bytes, from now on.
pub fn set_max_unpacked(bytes: u64) {
    MAX_UNPACKED.store(bytes, Ordering::Relaxed);
}

/// Does the name say that the file is compressed?
pub fn is_named_so(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The bytes as they were before they were compressed, if they are.
pub fn unpacked(mut bytes: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    bytes.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    let packed = start == MAGIC;
    // Whoever looks at the first bytes only should see more than these.
    let mut more = [0; 4096];
    let length = bytes.read(&mut more)?;
    start.extend_from_slice(&more[..length]);
    let whole = io::Cursor::new(start).chain(bytes);
    Ok(if packed {
        let inner = read::Decoder::with_buffer(BufReader::new(whole))?;
        let most = MAX_UNPACKED.load(Ordering::Relaxed);
        Box::new(Bounded { inner, left: most, most })
    } else {
        Box::new(whole)
    })
}

/// Gives out so many bytes; one more is an error.
struct Bounded<R> {
    inner: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => {
                self.left = left;
                Ok(count)
            }
            None => Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("unpacks to more than the {} bytes that --max-unpacked allows", self.most),
            )),
        }
    }
}

/// Writes a file, compressed or as it is.
pub enum FileWriter {
    /// As it is.
    Plain(BufWriter<File>),
    /// Compressed.
    Packed(write::Encoder<'static, BufWriter<File>>),
}

impl FileWriter {
    /// Writes `file`, which is to have this name.
    pub fn new(file: File, name: &Path) -> io::Result<Self> {
        let plain = BufWriter::with_capacity(1 << 16, file);
        if !is_named_so(name) {
            return Ok(Self::Plain(plain));
        }
        let mut packed = write::Encoder::new(plain, LEVEL)?;
        packed.include_checksum(true)?;
        Ok(Self::Packed(packed))
    }

    /// Writes what is left and gives the file back.
    pub fn into_file(self) -> io::Result<File> {
        let plain = match self {
            Self::Plain(plain) => plain,
            Self::Packed(packed) => packed.finish()?,
        };
        plain.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(plain) => plain.write(bytes),
            Self::Packed(packed) => packed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(plain) => plain.flush(),
            Self::Packed(packed) => packed.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic;

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        unpacked(Box::new(File::open(path)?))?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn what_is_written_is_read_again_and_small() {
        let folder = tempfile::tempdir().unwrap();
        let text = "startpos moves 7g7f 3c3d\n".repeat(1000);
        for (name, most) in [("games.usi.zst", 500), ("games.usi", 100_000)] {
            let path = folder.path().join(name);
            atomic::write(&path, text.as_bytes()).unwrap();
            assert!(std::fs::metadata(&path).unwrap().len() < most, "{name}");
            assert_eq!(read(&path).unwrap(), text.as_bytes(), "{name}");
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_an_error() {
        let packed = zstd::encode_all(&vec![0; 1000][..], 3).unwrap();
        let bounded = |most| {
            let inner = read::Decoder::new(&packed[..]).unwrap();
            let mut bytes = Vec::new();
            Bounded { inner, left: most, most }.read_to_end(&mut bytes)
        };
        assert_eq!(bounded(1000).unwrap(), 1000);
        let error = bounded(999).unwrap_err().to_string();
        assert_eq!(error, "unpacks to more than the 999 bytes that --max-unpacked allows");
    }

    #[test]
    fn short_files_are_read_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.usi");
        for bytes in [&b""[..], b"ab", &MAGIC[..3]] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn a_file_that_was_cut_or_changed_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.usi.zst");
        atomic::write(&path, "startpos moves 7g7f\n".repeat(50).as_bytes()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        assert!(read(&path).is_err());
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 0xff;
        std::fs::write(&path, changed).unwrap();
        assert!(read(&path).is_err());
    }
}
