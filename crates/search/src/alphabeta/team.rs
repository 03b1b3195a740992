//! ABDADA with lazy SMP: what the threads of a search tell each other beside the transposition
//! table: which moves they are searching, and which iterations one of them has finished.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tesuji_shogi::Move;

use crate::searcher::Info;

/// Cells; a few plies of each thread's line are in them.
const CELLS: usize = 1 << 12;

/// The threads of a search.
pub struct Team {
    /// The moves that some thread is searching. A cell that two moves share forgets one of them,
    /// which costs a little time and nothing else.
    cells: Vec<AtomicU64>,
    /// The deepest iteration that a thread has finished, and what it found.
    finished: AtomicU32,
    found: Mutex<Option<Info>>,
}

/// A move in a position, as it is marked while a thread searches it.
#[derive(Clone, Copy)]
pub struct Mark(u64);

impl Mark {
    /// The mark of a move in a position with this key, whose moves are searched but for an excluded
    /// one.
    #[inline]
    pub fn new(position: u64, excluded: Option<Move>, mv: Move) -> Self {
        let moves = u64::from(mv.to_u16()) | excluded.map_or(0, |mv| u64::from(mv.to_u16()) << 16);
        Self((position ^ moves).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Default for Team {
    fn default() -> Self {
        Self {
            cells: (0..CELLS).map(|_| AtomicU64::new(0)).collect(),
            finished: AtomicU32::new(0),
            found: Mutex::new(None),
        }
    }
}

impl Team {
    fn cell(&self, mark: Mark) -> &AtomicU64 {
        &self.cells[(mark.0 >> 52) as usize % CELLS]
    }

    /// Is a thread searching this move?
    #[inline]
    pub fn is_busy_with(&self, mark: Mark) -> bool {
        self.cell(mark).load(Ordering::Relaxed) == mark.0
    }

    /// A thread begins to search a move.
    #[inline]
    pub fn begin(&self, mark: Mark) {
        self.cell(mark).store(mark.0, Ordering::Relaxed);
    }

    /// A thread has searched a move.
    #[inline]
    pub fn end(&self, mark: Mark) {
        let cell = self.cell(mark);
        if cell.load(Ordering::Relaxed) == mark.0 {
            cell.store(0, Ordering::Relaxed);
        }
    }

    /// The deepest iteration that was finished.
    #[inline]
    pub fn finished(&self) -> u32 {
        self.finished.load(Ordering::Relaxed)
    }

    /// A thread has finished an iteration. Who was first is believed.
    pub fn finish(&self, info: &Info) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.as_ref().is_none_or(|found| found.depth < info.depth) {
            *found = Some(info.clone());
            self.finished.store(info.depth, Ordering::Relaxed);
        }
    }

    /// What was found in the deepest iteration that was finished.
    pub fn found(&self) -> Option<Info> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Bound;
    use std::time::Duration;

    fn info(depth: u32, score: i32) -> Info {
        Info {
            depth,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
            ..Info::default()
        }
    }

    #[test]
    fn a_move_is_busy_between_begin_and_end() {
        let team = Team::default();
        let (one, other): (Move, Move) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        let mark = Mark::new(77, None, one);
        team.begin(mark);
        assert!(team.is_busy_with(mark));
        assert!(!team.is_busy_with(Mark::new(77, None, other)));
        assert!(!team.is_busy_with(Mark::new(77, Some(other), one)));
        team.end(mark);
        assert!(!team.is_busy_with(mark));
    }

    #[test]
    fn the_first_to_finish_an_iteration_is_believed() {
        let team = Team::default();
        assert_eq!((team.finished(), team.found()), (0, None));
        for (depth, score) in [(3, 10), (3, 20), (2, 30)] {
            team.finish(&info(depth, score));
        }
        assert_eq!(team.finished(), 3);
        assert_eq!(team.found().map(|found| found.score), Some(10));
    }
}
