//! Engines by the name of their evaluation.

use anyhow::Result;
use tesuji_search::{Engine, Linear, Material, Searcher};

use crate::weights;

/// The evaluation that is used if none is named: at the same time a move it solves most.
pub const DEFAULT: &str = MATERIAL;

/// The evaluation that counts pieces and nothing else.
const MATERIAL: &str = "material";

/// An engine with a table of so many mebibytes. Its evaluation is `material`, the name of weights that
/// come with the program, or a weights file.
pub fn make(evaluation: &str, mebibytes: usize) -> Result<Box<dyn Searcher>> {
    if evaluation == MATERIAL {
        return Ok(Box::new(Engine::new(Material::default(), mebibytes)));
    }
    let weights = weights::load(evaluation)?;
    Ok(Box::new(Engine::new(Linear::new(weights), mebibytes)))
}
