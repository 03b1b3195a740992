//! The options that a GUI may set.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use tesuji_search::limits::TimePolicy;
use tesuji_search::{SearchParams, Settings};
use tesuji_shogi::EnteringKingRule;

use crate::engines;

/// What a GUI has set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub hash: usize,
    pub lines: usize,
    pub resign: i32,
    pub evaluation: String,
    pub time: TimePolicy,
    pub settings: Settings,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 256,
            lines: 1,
            resign: 99_999,
            evaluation: engines::DEFAULT.to_owned(),
            time: TimePolicy::default(),
            settings: Settings::default(),
        }
    }
}

const LARGEST_HASH: usize = 65_536;
const MOST_THREADS: usize = 512;
const MOST_LINES: usize = 600;

impl Options {
    /// The lines that tell a GUI what there is.
    pub fn describe() -> Vec<String> {
        let default = Self::default();
        let rules: Vec<String> =
            EnteringKingRule::ALL.iter().map(|rule| format!("var {}", rule.name())).collect();
        let presets: Vec<String> =
            SearchParams::PRESETS.iter().map(|name| format!("var {name}")).collect();
        let mut lines = vec![
            format!("USI_Hash type spin default {} min 1 max {LARGEST_HASH}", default.hash),
            "USI_Ponder type check default false".to_owned(),
            format!("Threads type spin default 1 min 1 max {MOST_THREADS}"),
            format!("MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            format!(
                "EnteringKingRule type combo default {} {}",
                default.settings.entering_king.name(),
                rules.join(" ")
            ),
            "MinimumThinkingTime type spin default 0 min 0 max 100000".to_owned(),
            format!(
                "NetworkDelay type spin default {} min 0 max 10000",
                default.time.delay.as_millis()
            ),
            format!("ResignValue type spin default {} min 1 max 99999", default.resign),
            "MaxMovesToDraw type spin default 0 min 0 max 10000".to_owned(),
            format!("EvalFile type string default {}", default.evaluation),
            format!("Preset type combo default default {}", presets.join(" ")),
        ];
        lines.extend(SearchParams::ALL.iter().map(|parameter| {
            let (min, max) = (parameter.min, parameter.max);
            format!(
                "{} type spin default {} min {min} max {max}",
                parameter.name, parameter.default
            )
        }));
        lines.into_iter().map(|line| format!("option name {line}")).collect()
    }

    /// Sets an option. The error says what was expected.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let number = |least: i64, most: i64| -> Result<i64> {
            let number: i64 =
                value.parse().map_err(|_| anyhow!("{name}: {value:?} is no number"))?;
            ensure!(
                (least..=most).contains(&number),
                "{name}: {number}, expected {least} to {most}"
            );
            Ok(number)
        };
        match name {
            "USI_Hash" => self.hash = number(1, LARGEST_HASH as i64)? as usize,
            // Whether to ponder is for the GUI to decide.
            "USI_Ponder" => {}
            "Threads" => self.settings.threads = number(1, MOST_THREADS as i64)? as usize,
            "MultiPV" => self.lines = number(1, MOST_LINES as i64)? as usize,
            "EnteringKingRule" => {
                self.settings.entering_king = EnteringKingRule::from_name(value)
                    .ok_or_else(|| anyhow!("{name}: no rule is named {value:?}"))?;
            }
            "MinimumThinkingTime" => {
                self.time.minimum = Duration::from_millis(number(0, 100_000)? as u64);
            }
            "NetworkDelay" => self.time.delay = Duration::from_millis(number(0, 10_000)? as u64),
            "ResignValue" => self.resign = number(1, 99_999)? as i32,
            "MaxMovesToDraw" => {
                let most = number(0, 10_000)? as u16;
                self.settings.max_moves = (most > 0).then_some(most);
            }
            "EvalFile" => value.clone_into(&mut self.evaluation),
            "Preset" => {
                self.settings.params = SearchParams::preset(value)
                    .ok_or_else(|| anyhow!("{name}: no preset is named {value:?}"))?;
            }
            _ => {
                let known = SearchParams::ALL.iter().find(|parameter| parameter.name == name);
                let known = known.ok_or_else(|| anyhow!("no option is named {name:?}"))?;
                let value = number(known.min.into(), known.max.into())? as i32;
                self.settings.params.set(name, value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_is_told_can_be_set_to_its_default() {
        for line in Options::describe() {
            let words: Vec<&str> = line.split(' ').collect();
            let place = words.iter().position(|&word| word == "default").unwrap();
            let mut options = Options::default();
            options.set(words[2], words[place + 1]).unwrap();
            assert_eq!(options, Options::default(), "{line}");
        }
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("USI_Hash", "0"),
            ("USI_Hash", "many"),
            ("EnteringKingRule", "none"),
            ("null_move", "7"),
            ("Nothing", "1"),
            ("Preset", "x"),
        ] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
        assert_eq!(options, Options::default());
    }
}
