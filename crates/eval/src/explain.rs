//! Explanation of scores: what each feature contributes to a position, and what a move changes.

use tesuji_shogi::{Bitboard, Color, Move, Position};

use crate::legacy::Numbering;
use crate::{Feature, View, Weights};

/// A position taken apart feature by feature.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// The player whose view it is.
    pub player: Color,
    /// The value in the player's view.
    pub own_score: i32,
    /// The value in the opponent's view.
    pub enemy_score: i32,
    /// What each feature contributes, the largest effect first.
    pub terms: Vec<Term<'a>>,
}

/// What one feature contributes.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// The feature.
    pub feature: &'a Feature,
    /// The weight by which values are multiplied.
    pub weight: i32,
    /// The value in the player's view.
    pub own_value: i32,
    /// The value in the opponent's view.
    pub enemy_value: i32,
    /// The squares that the player's value talks about.
    pub own_squares: Bitboard,
    /// The squares that the opponent's value talks about.
    pub enemy_squares: Bitboard,
}

impl Term<'_> {
    /// What the feature adds to the player's score.
    pub const fn own(&self) -> i32 {
        self.weight * self.own_value
    }

    /// What the feature adds to the opponent's score.
    pub const fn enemy(&self) -> i32 {
        self.weight * self.enemy_value
    }

    /// How much better off the player is for it.
    pub const fn effect(&self) -> i32 {
        self.own() - self.enemy()
    }
}

/// What a move changes, or what another move would change, feature by feature, in the view of the
/// player who moves.
#[derive(Clone, Debug)]
pub struct MoveExplanation<'a> {
    /// The score before the move.
    pub before: i32,
    /// The score after it.
    pub after: i32,
    /// The features that change, the largest change first.
    pub changes: Vec<Change<'a>>,
}

/// How a feature changes by a move.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The feature.
    pub feature: &'a Feature,
    /// The weight by which values are multiplied.
    pub weight: i32,
    /// The value before the move.
    pub before: i32,
    /// The value after it.
    pub after: i32,
    /// The squares that the value before the move talks about.
    pub squares_before: Bitboard,
    /// The squares that the value after the move talks about.
    pub squares_after: Bitboard,
}

impl Change<'_> {
    /// How much the score changes.
    pub const fn effect(&self) -> i32 {
        self.weight * (self.after - self.before)
    }
}

/// A feature in two positions, each in the views of both players.
#[derive(Clone, Copy, Debug)]
pub struct Contrast<'a> {
    /// The feature in the first position.
    pub first: Term<'a>,
    /// The same feature in the second position.
    pub second: Term<'a>,
}

impl Contrast<'_> {
    /// How much better off the player is for it in the second position than in the first.
    pub const fn effect(&self) -> i32 {
        self.second.effect() - self.first.effect()
    }
}

impl Weights {
    /// What tells two positions apart for `player`, however each came about: the features whose
    /// effect differs, the largest difference first.
    pub fn contrast(
        &self,
        first: &Position,
        second: &Position,
        player: Color,
    ) -> Vec<Contrast<'_>> {
        let (first, second) = (self.terms(first, player), self.terms(second, player));
        let pairs = first.into_iter().zip(second);
        let mut contrasts: Vec<Contrast<'_>> = pairs
            .map(|(first, second)| Contrast { first, second })
            .filter(|contrast| contrast.effect() != 0)
            .collect();
        contrasts.sort_by_key(|contrast| std::cmp::Reverse(contrast.effect().abs()));
        contrasts
    }

    /// Takes a position apart in the view of `player`.
    pub fn explain(&self, position: &Position, player: Color) -> Explanation<'_> {
        let mut terms = self.terms(position, player);
        terms.sort_by_key(|term| std::cmp::Reverse(term.effect().abs()));
        Explanation {
            player,
            own_score: terms.iter().map(Term::own).sum(),
            enemy_score: terms.iter().map(Term::enemy).sum(),
            terms,
        }
    }

    /// All features in the order of the set.
    fn terms(&self, position: &Position, player: Color) -> Vec<Term<'_>> {
        let own = View::new(position, player);
        let enemy = own.turned();
        let weighted = self.set().features().iter().zip(self.effective());
        weighted
            .map(|(feature, &weight)| Term {
                feature,
                weight,
                own_value: feature.value(&own),
                enemy_value: feature.value(&enemy),
                own_squares: feature.squares(&own),
                enemy_squares: feature.squares(&enemy),
            })
            .collect()
    }

    /// What a legal move changes; `None` if it is not legal.
    pub fn explain_move(&self, position: &Position, mv: Move) -> Option<MoveExplanation<'_>> {
        let next = position.after(mv)?;
        let numbering = Numbering::of(position);
        let player = position.side_to_move();
        let before = View::numbered(position, player, numbering);
        let after = View::numbered(&next, player, numbering.after(mv));
        Some(self.explain_change(&before, &after))
    }

    /// What is otherwise if `other` is played and not `mv`; `None` if one of them is not legal.
    /// "Before" is then the position after `mv`, and "after" the one after `other`.
    pub fn explain_choice(
        &self,
        position: &Position,
        mv: Move,
        other: Move,
    ) -> Option<MoveExplanation<'_>> {
        let (next, instead) = (position.after(mv)?, position.after(other)?);
        let numbering = Numbering::of(position);
        let player = position.side_to_move();
        let before = View::numbered(&next, player, numbering.after(mv));
        let after = View::numbered(&instead, player, numbering.after(other));
        Some(self.explain_change(&before, &after))
    }

    fn explain_change(&self, before: &View<'_>, after: &View<'_>) -> MoveExplanation<'_> {
        let mut score = 0;
        let mut changes = Vec::new();
        for (feature, &weight) in self.set().features().iter().zip(self.effective()) {
            let (old, new) = (feature.value(before), feature.value(after));
            score += weight * old;
            if old != new {
                changes.push(Change {
                    feature,
                    weight,
                    before: old,
                    after: new,
                    squares_before: feature.squares(before),
                    squares_after: feature.squares(after),
                });
            }
        }
        changes.sort_by_key(|change| std::cmp::Reverse(change.effect().abs()));
        let gain: i32 = changes.iter().map(Change::effect).sum();
        MoveExplanation { before: score, after: score + gain, changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FeatureSet;

    fn weights() -> Weights {
        let set = FeatureSet::named("paper").unwrap();
        let values = (1..=set.len() as i32).collect();
        Weights::new(set, values).unwrap()
    }

    fn positions() -> impl Iterator<Item = Position> {
        let mut position = Position::startpos();
        (0..60_usize).map(move |i| {
            let moves = position.legal_moves();
            position.play_unchecked(moves[i * 31 % moves.len()]);
            position
        })
    }

    #[test]
    fn the_parts_sum_to_the_score() {
        let weights = weights();
        for position in positions() {
            for player in Color::ALL {
                let explanation = weights.explain(&position, player);
                assert_eq!(explanation.own_score, weights.score(&position, player));
                assert_eq!(explanation.enemy_score, weights.score(&position, !player));
                assert!(explanation.terms.is_sorted_by_key(|term| -term.effect().abs()));
            }
        }
    }

    #[test]
    fn a_contrast_sums_to_the_difference_of_the_scores() {
        let weights = weights();
        let both = |position: &Position, player: Color| {
            weights.score(position, player) - weights.score(position, !player)
        };
        let all: Vec<Position> = positions().collect();
        for (first, second) in all.iter().zip(all.iter().rev()) {
            for player in Color::ALL {
                let contrasts = weights.contrast(first, second, player);
                let sum: i32 = contrasts.iter().map(Contrast::effect).sum();
                assert_eq!(sum, both(second, player) - both(first, player));
                assert!(contrasts.is_sorted_by_key(|contrast| -contrast.effect().abs()));
            }
        }
    }

    #[test]
    fn a_move_is_explained_by_what_it_changes() {
        let weights = weights();
        for position in positions() {
            let player = position.side_to_move();
            for mv in &position.legal_moves() {
                let explanation = weights.explain_move(&position, mv).unwrap();
                let next = position.after(mv).unwrap();
                assert_eq!(explanation.before, weights.score(&position, player));
                assert_eq!(explanation.after, weights.score(&next, player));
            }
        }
        let illegal = "5e5d".parse().unwrap();
        assert!(weights.explain_move(&Position::startpos(), illegal).is_none());
    }

    #[test]
    fn two_moves_are_told_apart_by_what_they_lead_to() {
        let weights = weights();
        for position in positions() {
            let moves = position.legal_moves();
            for pair in moves.windows(2) {
                let score = |mv| weights.explain_move(&position, mv).unwrap().after;
                let choice = weights.explain_choice(&position, pair[0], pair[1]).unwrap();
                assert_eq!((choice.before, choice.after), (score(pair[0]), score(pair[1])));
            }
        }
    }
}
