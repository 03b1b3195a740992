//! Flags that several commands share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tesuji_run::RunFolder;
use tesuji_run::plan::{self, Plan};

/// Flags that say where the work is done, with no part in what comes out.
#[derive(Args, Debug)]
pub struct RunFlags {
    /// How many threads to use; as many as the machine has for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Go on with a run that was stopped, to the same result; its folder knows all settings.
    #[arg(long, value_name = "RUN")]
    resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl RunFlags {
    /// The folder of the run that these flags mean, with the settings.
    pub fn open<P: Plan>(&self, plan: impl FnOnce() -> Result<P>) -> Result<(RunFolder, P)> {
        plan::open(self.resume.as_deref(), &self.out, plan)
    }
}
