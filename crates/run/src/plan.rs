//! The folder of a run, named and described.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Input, Manifest, Observer, RunError, RunFolder, RunTime};
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The settings of a command: all that has a part in its result.
pub trait Plan: Serialize + DeserializeOwned {
    /// The name of the command.
    const COMMAND: &'static str;

    /// Where all chance comes from.
    fn seed(&self) -> u64;

    /// Every file that is read, by its content.
    fn inputs(&self) -> Result<Vec<Input>>;

    /// Reads the data once, so that data that cannot be read leaves no folder behind.
    fn check(&self, observer: &dyn Observer) -> Result<()>;
}

/// The folder of a run that is begun, or of one that is resumed, with the settings.
pub fn open<P: Plan>(
    resumed: Option<&Path>,
    base: &Path,
    observer: &dyn Observer,
    plan: impl FnOnce() -> Result<P>,
) -> Result<(RunFolder, P)> {
    if let Some(path) = resumed {
        return resume(path);
    }
    let plan = plan()?;
    let inputs = plan.inputs()?;
    plan.check(observer)?;
    Ok((create(base, &plan, inputs)?, plan))
}

/// The folder of one step of a longer work, which has a fixed place: made, or opened if the step was
/// begun before. A step with other settings is refused.
pub fn step<P: Plan + PartialEq>(path: &Path, plan: &P) -> Result<RunFolder> {
    if !RunFolder::is_at(path) {
        return match RunFolder::create_at(path, manifest(plan, plan.inputs()?)?) {
            Err(RunError::Exists(path)) => bail!("{}: there, but no run folder", path.display()),
            made => Ok(made?),
        };
    }
    let (folder, begun): (RunFolder, P) = resume(path)?;
    ensure!(begun == *plan, "{}: made with other settings, remove it first", path.display());
    Ok(folder)
}

/// Makes a folder in the folder `base`.
fn create<P: Plan>(base: &Path, plan: &P, inputs: Vec<Input>) -> Result<RunFolder> {
    Ok(RunFolder::create(base, manifest(plan, inputs)?)?)
}

fn manifest<P: Plan>(plan: &P, inputs: Vec<Input>) -> Result<Manifest> {
    let settings = serde_json::to_value(plan)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let identity = format!("{settings}{}{now}", std::process::id());
    Ok(Manifest {
        program: format!("tesuji {}", env!("CARGO_PKG_VERSION")),
        command_line: std::env::args().collect(),
        seed: Some(plan.seed()),
        inputs,
        settings,
        ..Manifest::new(P::COMMAND, &hash(identity.as_bytes())[..6], RunTime::from_unix(now))
    })
}

/// Opens the folder of a run to go on with it. Other data than it began with is refused.
fn resume<P: Plan>(path: &Path) -> Result<(RunFolder, P)> {
    let folder = RunFolder::open(path)?;
    let name = path.display();
    let (found, command) = (&folder.manifest().command, P::COMMAND);
    ensure!(found == command, "{name}: a run of {found}, not of {command}");
    let settings = folder.manifest().settings.clone();
    let plan: P = serde_json::from_value(settings)
        .with_context(|| format!("{name}: its settings are not those of this program"))?;
    if let Some(changed) = folder.manifest().changed_input(&plan.inputs()?) {
        bail!("{name}: {changed}");
    }
    Ok((folder, plan))
}

/// A file that a run reads, known by its content.
pub fn input(path: &Path) -> Result<Input> {
    let name = || path.display().to_string();
    // A pipe can be read but once, and may never end.
    ensure!(fs::metadata(path).with_context(name)?.is_file(), "{}: not a regular file", name());
    let bytes = fs::read(path).with_context(name)?;
    Ok(of_bytes(&path.display().to_string(), &bytes))
}

/// Something with a name and a content.
pub fn of_bytes(name: &str, bytes: &[u8]) -> Input {
    Input { name: name.to_owned(), bytes: bytes.len() as u64, sha256: hash(bytes) }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
