//! The 21 plausible move generators and their five classes.

use std::fmt;

/// What a move is for, in the widest sense.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// It reaches a goal.
    Goal,
    /// It threatens to reach one.
    Threat,
    /// It defends against a threat.
    Defence,
    /// It improves the own position.
    Improvement,
    /// It keeps the opponent from improving theirs.
    Prevention,
}

impl Class {
    /// All classes, in the order in which they are generated.
    pub const ALL: [Self; 5] =
        [Self::Goal, Self::Threat, Self::Defence, Self::Improvement, Self::Prevention];

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Threat => "threat",
            Self::Defence => "defence",
            Self::Improvement => "improvement",
            Self::Prevention => "prevention",
        }
    }

    /// Does it rest while a strong threat is on the board?
    pub const fn is_positional(self) -> bool {
        matches!(self, Self::Improvement | Self::Prevention)
    }
}

/// A plausible move generator: one reason to think of a move. What each means exactly is told on
/// `docs/generators.md`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Generator {
    /// It takes a piece.
    Capture,
    /// It promotes.
    Promote,
    /// It gives check.
    Check,
    /// It bears on the squares beside the enemy king, or comes near it.
    AttackKing,
    /// It attacks an enemy piece that is worth more or not protected enough.
    AttackMaterial,
    /// It opens the line of a slider behind it.
    DiscoveredAttack,
    /// It is going to promote.
    ThreatenPromotion,
    /// It answers a check.
    AnswerCheck,
    /// It protects the squares beside the own king, or keeps attackers from them.
    DefendKing,
    /// It saves an own piece that the opponent could win.
    DefendMaterial,
    /// It answers a line that an enemy piece could open.
    DefendDiscovered,
    /// It keeps an enemy piece from promoting.
    DefendPromotion,
    /// It helps an own piece that is pinned.
    DefendPin,
    /// It frees the only guard of an own piece.
    EaseTie,
    /// It protects an own piece that nobody protects.
    GuardUndefended,
    /// It protects an own piece that is attacked as often as protected.
    DefendExchange,
    /// It covers squares of the own camp that nobody covers.
    CoverOwnCamp,
    /// It develops: by the book, towards a castle or an assault, or by a pattern of masters.
    Develop,
    /// It pins an enemy piece.
    Pin,
    /// It bears on the opponent's camp.
    CoverEnemyCamp,
    /// It takes a square that the opponent wants for development.
    AvoidDevelopment,
}

impl Generator {
    /// How many there are.
    pub const COUNT: usize = 21;

    /// All generators, class by class.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Capture,
        Self::Promote,
        Self::Check,
        Self::AttackKing,
        Self::AttackMaterial,
        Self::DiscoveredAttack,
        Self::ThreatenPromotion,
        Self::AnswerCheck,
        Self::DefendKing,
        Self::DefendMaterial,
        Self::DefendDiscovered,
        Self::DefendPromotion,
        Self::DefendPin,
        Self::EaseTie,
        Self::GuardUndefended,
        Self::DefendExchange,
        Self::CoverOwnCamp,
        Self::Develop,
        Self::Pin,
        Self::CoverEnemyCamp,
        Self::AvoidDevelopment,
    ];

    /// The class that it belongs to.
    pub const fn class(self) -> Class {
        match self as usize {
            0..2 => Class::Goal,
            2..7 => Class::Threat,
            7..12 => Class::Defence,
            12..18 => Class::Improvement,
            _ => Class::Prevention,
        }
    }

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; Generator::COUNT] = [
            "capture",
            "promote",
            "check",
            "attack-king",
            "attack-material",
            "discovered-attack",
            "threaten-promotion",
            "answer-check",
            "defend-king",
            "defend-material",
            "defend-discovered",
            "defend-promotion",
            "defend-pin",
            "ease-tie",
            "guard-undefended",
            "defend-exchange",
            "cover-own-camp",
            "develop",
            "pin",
            "cover-enemy-camp",
            "avoid-development",
        ];
        NAMES[self as usize]
    }

    /// The generator of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|generator| generator.name() == name)
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of generators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Generators(u32);

impl Generators {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << Generator::COUNT) - 1);

    /// The generators of a class.
    pub fn of(class: Class) -> Self {
        Generator::ALL.into_iter().filter(|generator| generator.class() == class).collect()
    }

    /// Is there none?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is it among them?
    #[inline(always)]
    pub const fn contains(self, generator: Generator) -> bool {
        self.0 & (1 << generator as u32) != 0
    }

    /// Those with another one.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, generator: Generator) -> Self {
        Self(self.0 | 1 << generator as u32)
    }

    /// Those that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Them, in their order.
    pub fn iter(self) -> impl Iterator<Item = Generator> {
        Generator::ALL.into_iter().filter(move |&generator| self.contains(generator))
    }
}

impl FromIterator<Generator> for Generators {
    fn from_iter<I: IntoIterator<Item = Generator>>(generators: I) -> Self {
        generators.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_in_the_order_of_their_classes() {
        assert_eq!(Generator::ALL.len(), Generator::COUNT);
        for (number, generator) in Generator::ALL.into_iter().enumerate() {
            assert_eq!(generator as usize, number);
            assert_eq!(Generator::named(generator.name()), Some(generator));
        }
        assert!(Generator::ALL.is_sorted_by_key(|generator| generator.class()));
        let counts = Class::ALL.map(|class| Generators::of(class).iter().count());
        assert_eq!(counts, [2, 5, 5, 6, 3]);
    }
}
