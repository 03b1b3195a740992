//! Papers, repeated: their experiments carried out here, and their tables beside ours.

pub mod castles;
pub mod document;
pub mod plausible;
mod shares;
pub mod stages;
pub mod tables;
pub mod thesis;
pub mod winrate;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tesuji_run::{atomic, kept};

/// The folder of the laboratory's data, which does not come with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFolder(pub PathBuf);

impl DataFolder {
    /// The variable that names the folder, and where it is if nobody says.
    pub const VARIABLE: &str = "TESUJI_DATA";
    /// Where it is if nobody says.
    pub const DEFAULT: &str = "../shared/data";

    /// A file of the data, which must be there.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        ensure!(
            path.is_file(),
            "{}: no such file, give the laboratory's data with --data or {}",
            path.display(),
            Self::VARIABLE,
        );
        Ok(path)
    }
}

/// A reproduction under way: its plan, the folder of its steps, and who is told.
struct Work<'a, P> {
    plan: &'a P,
    out: &'a Path,
    context: &'a tesuji_run::Context<'a>,
}

impl<P> Work<'_, P> {
    /// What a step found before, or what it finds now.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        kept::or_made(&self.out.join(format!("{name}.json")), || {
            self.context.observer.note(name);
            make()
        })
    }
}

/// What came out of the experiments of a paper.
pub struct Reproduction {
    /// The page, in Markdown.
    pub page: String,
    /// The pictures of the page: their names and what is in the files.
    pub pictures: Vec<(String, String)>,
    /// All numbers.
    pub numbers: Value,
}

impl Reproduction {
    /// Writes the page, after its pictures, which come into a folder beside it.
    pub fn write(&self, page: &Path) -> Result<()> {
        let folder = page.with_extension("");
        if !self.pictures.is_empty() {
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        for (name, picture) in &self.pictures {
            let path = folder.join(name);
            atomic::write(&path, picture.as_bytes()).with_context(|| path.display().to_string())?;
        }
        atomic::write(page, self.page.as_bytes()).with_context(|| page.display().to_string())?;
        Ok(())
    }
}
