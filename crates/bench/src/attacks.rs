//! Attack counts.

use serde_json::{Value, json};

/// Measures attack counts.
pub fn run(_rounds: usize) -> anyhow::Result<Value> {
    Ok(json!({}))
}
