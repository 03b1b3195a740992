//! CountedCastles.

use crate::castles::CountedCastles;
use crate::{Feature, Group, Measure};

pub(super) const FORMATION: Feature = Feature {
    name: "CASTLE_FORMATION",
    group: Group::Castle,
    bits: 6,
    linked_to: None,
    sentence: "Pieces in the place that the castle around your king gives them.",
    measure: Measure::Castle(CountedCastles::common),
};
