//! What conditions ask of a position, worked out when first asked for.

use std::cell::OnceCell;

use tesuji_shogi::{Color, PieceKind, Position, Square};

use super::FormationKind;
use crate::View;
use crate::formations::{Castle, Formations};
use crate::progress::Progress;

/// A position, and what conditions ask of it.
pub struct Facts<'a> {
    position: &'a Position,
    views: OnceCell<[View<'a>; 2]>,
    progress: OnceCell<Progress>,
    castles: [OnceCell<Option<&'static Castle>>; 2],
}

impl<'a> Facts<'a> {
    /// The facts of a position.
    pub const fn new(position: &'a Position) -> Self {
        let castles = [OnceCell::new(), OnceCell::new()];
        Self { position, views: OnceCell::new(), progress: OnceCell::new(), castles }
    }

    /// The position.
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// The position as a player sees it.
    pub fn view(&self, color: Color) -> &View<'a> {
        let views = self.views.get_or_init(|| {
            let black = View::new(self.position, Color::Black);
            let white = black.turned();
            [black, white]
        });
        &views[color.index()]
    }

    /// The dangers of both kings.
    pub fn progress(&self) -> Progress {
        *self.progress.get_or_init(|| Progress::near_kings(self.position))
    }

    /// Where a king stands as its player sees it.
    pub(super) fn king(&self, color: Color) -> Option<Square> {
        self.position.king(color).map(|king| king.seen_by(color))
    }

    /// Does a king stand in the enemy camp?
    pub(super) fn has_entered(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| king.rank() <= 3)
    }

    pub(super) fn on_board(&self, color: Color, kind: PieceKind) -> u32 {
        self.position.of(color, kind).count()
    }

    /// Does a player have this formation, by its id, or for a castle that of its family; `None`: none
    /// at all?
    pub(super) fn has(&self, kind: FormationKind, color: Color, name: Option<&str>) -> bool {
        let formations = Formations::shipped();
        let found: Option<[&str; 2]> = match kind {
            FormationKind::Castle => {
                let find = || formations.standing(self.position, color);
                let castle = *self.castles[color.index()].get_or_init(find);
                castle.map(|castle| [&*castle.names.id, &*castle.family])
            }
            FormationKind::Strategy => {
                let strategy = formations.strategy_of(self.position, color);
                strategy.map(|strategy| [&*strategy.names.id; 2])
            }
            FormationKind::Assault => {
                let assault = formations.assault_of(self.position, color);
                assault.map(|found| [&*found.formation.names.id; 2])
            }
        };
        match (found, name) {
            (Some(names), Some(name)) => names.contains(&name),
            (found, name) => found.is_none() && name.is_none(),
        }
    }
}
