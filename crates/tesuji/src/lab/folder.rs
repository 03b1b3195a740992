//! The folder of a run, named and described.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tesuji_report::{Input, Manifest, RunError, RunFolder, RunTime};

/// Makes a folder for a run of `command` with these settings, in the folder `base`.
pub fn create(
    base: &Path,
    command: &str,
    settings: &impl Serialize,
    seed: u64,
    inputs: Vec<Input>,
) -> Result<RunFolder> {
    let settings = serde_json::to_value(settings)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let identity = format!("{settings}{}{now}", std::process::id());
    let manifest = Manifest {
        program: format!("tesuji {}", env!("CARGO_PKG_VERSION")),
        command_line: std::env::args().collect(),
        seed: Some(seed),
        inputs,
        settings,
        ..Manifest::new(command, &hash(identity.as_bytes())[..6], RunTime::from_unix(now))
    };
    RunFolder::create(base, manifest).map_err(|error| match error {
        RunError::Exists(path) => anyhow::anyhow!("{}: exists already, try again", path.display()),
        other => other.into(),
    })
}

/// Opens the folder of a run of `command` to go on with it, and gives the settings it began with.
pub fn resume<T: DeserializeOwned>(path: &Path, command: &str) -> Result<(RunFolder, T)> {
    let folder = RunFolder::open(path)?;
    let name = path.display();
    let found = &folder.manifest().command;
    ensure!(found == command, "{name}: a run of {found}, not of {command}");
    let settings = folder.manifest().settings.clone();
    let settings = serde_json::from_value(settings)
        .with_context(|| format!("{name}: its settings are not those of this program"))?;
    Ok((folder, settings))
}

/// Refuses to go on with other data than the run began with.
pub fn check_inputs(folder: &RunFolder, inputs: &[Input]) -> Result<()> {
    if let Some(changed) = folder.manifest().changed_input(inputs) {
        bail!("{}: {changed}", folder.path().display());
    }
    Ok(())
}

/// A file that a run reads, known by its content.
pub fn input(path: &Path) -> Result<Input> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(of_bytes(&path.display().to_string(), &bytes))
}

/// Something with a name and a content.
pub fn of_bytes(name: &str, bytes: &[u8]) -> Input {
    Input { name: name.to_owned(), bytes: bytes.len() as u64, sha256: hash(bytes) }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
