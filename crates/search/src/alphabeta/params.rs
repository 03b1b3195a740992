//! The parameters of alpha-beta: margins, depths and switches of its techniques.

use tesuji_eval::formations::Wishes;
use tesuji_eval::plausible::{Cut, Generator};

use crate::params::parameters;

parameters! {
    /// The parameters of alpha-beta.
    AlphaBetaParams;
    presets: ["default", "full-width-2000"], AlphaBetaParams::named;
    aspiration = 50, 0..=1000 by 5, "Aspiration window: how far from the last score it reaches at first; 0 for a full window.";
    quiescence_checks = 1, 0..=4 by 1, "Plies of quiescence in which checks are tried.";
    delta_margin = 250, 0..=2000 by 20, "Delta pruning: captures that stay this far below alpha are left out in quiescence.";
    null_move = 1, 0..=1 by 1, "Is the null move tried?";
    null_reduction = 3, 0..=7 by 1, "Plies by which the search after a null move is shallower.";
    null_adaptive = 1, 0..=1 by 1, "Does the reduction after a null move grow with depth?";
    null_adaptive_depth = 5, 0..=15 by 1, "Plies of depth for each ply that the reduction grows.";
    reverse_futility_depth = 7, 0..=12 by 1, "Reverse futility pruning: the most plies of depth at which a score far above beta is believed.";
    reverse_futility_margin_1 = 110, 0..=1023 by 10, "How far above beta at a depth of one ply.";
    reverse_futility_margin_2 = 220, 0..=1023 by 10, "How far above beta at two plies.";
    reverse_futility_margin_3 = 350, 0..=1023 by 10, "How far above beta at three plies.";
    reverse_futility_margin_more = 140, 0..=1023 by 10, "What each further ply adds to that.";
    futility_pruning_depth = 6, 0..=12 by 1, "Futility pruning: the most plies of depth at which quiet moves far below alpha are left out.";
    futility_pruning_base = 150, 0..=1023 by 10, "How far below alpha, at a depth of no ply.";
    futility_pruning_ply = 130, 0..=1023 by 10, "What each ply adds to that.";
    razor_depth = 3, 0..=6 by 1, "Razoring: the most plies of depth at which a score far below alpha goes straight to quiescence.";
    razor_margin = 300, 0..=2000 by 20, "How far below alpha, for each ply.";
    probcut = 1, 0..=1 by 1, "ProbCut: is a position cut when a capture is far above beta in a shallow search?";
    probcut_depth = 5, 1..=15 by 1, "The fewest plies of depth at which that is tried.";
    probcut_reduction = 4, 1..=7 by 1, "Plies by which its searches are shallower.";
    probcut_margin = 200, 0..=1023 by 10, "How far above beta.";
    multi_cut = 0, 0..=1 by 1, "Is multi-cut tried?";
    multi_cut_reduction = 4, 0..=7 by 1, "Plies by which its searches are shallower.";
    multi_cut_depth = 6, 0..=15 by 1, "The fewest plies of depth at which it is tried.";
    multi_cut_moves = 10, 0..=31 by 1, "Moves that are tried.";
    multi_cut_cuts = 3, 0..=7 by 1, "Cutoffs among them that are enough.";
    lmp = 1, 0..=1 by 1, "Late move pruning (LMP): are late quiet moves left out at low depth?";
    lmp_depth = 6, 0..=12 by 1, "The most plies of depth at which they are.";
    lmp_base = 6, 1..=64 by 1, "Moves that are tried at no depth; more with the square of depth.";
    lmr = 1, 0..=1 by 1, "Late move reductions (LMR): are late moves searched less deeply at first?";
    lmr_base = 60, 0..=300 by 5, "Hundredths of a ply that every late move is reduced by.";
    lmr_factor = 48, 0..=200 by 4, "Hundredths of a ply for each product of logarithms of depth and move number.";
    lmr_history = 6000, 500..=20000 by 500, "The history score that is worth one ply of reduction.";
    lmr_cut_node = 0, 0..=16 by 1, "Quarters of a ply that late moves are reduced more in cut nodes.";
    see_depth = 7, 0..=12 by 1, "Pruning by static exchange evaluation (SEE): the most plies of depth at which losing exchanges are left out.";
    see_margin = 90, 0..=500 by 10, "Loss for each ply that is still tried.";
    iir = 1, 0..=1 by 1, "Internal iterative reduction (IIR): are positions without a move from the table searched one ply less deeply?";
    check_extension = 3, 0..=4 by 1, "Quarters of a ply that a check is searched deeper.";
    one_reply_extension = 3, 0..=4 by 1, "Quarters of a ply when there is only one legal move.";
    capture_extension = 0, 0..=4 by 1, "Quarters of a ply for taking a piece.";
    recapture_extension = 1, 0..=4 by 1, "Quarters of a ply for taking back on the same square.";
    promotion_extension = 1, 0..=4 by 1, "Quarters of a ply when a pawn, lance or knight is about to promote where nobody guards.";
    mate_threat_extension = 2, 0..=4 by 1, "Quarters of a ply when passing would be answered by mate.";
    singular = 1, 0..=1 by 1, "Singular extension: is the move of the table searched deeper if all others are well below it?";
    singular_depth = 7, 3..=15 by 1, "The fewest plies of depth at which that is tried.";
    singular_margin = 12, 0..=60 by 1, "How far below, for each ply.";
    singular_extension = 4, 0..=8 by 1, "Quarters of a ply that it is searched deeper.";
    history = 1, 0..=1 by 1, "History heuristic: are moves ordered by what cut off before?";
    castle_maps = 0, 0..=1 by 1, "Castle maps: do pieces on their way to the castle that is being built count?";
    assault_maps = 0, 0..=1 by 1, "Assault maps: do pieces on their way to the assault against the opponent's castle count?";
    positional_maps = 0, 0..=1 by 1, "Positional maps: do pieces count for standing well whatever is being built?";
    castle_weight = 700, 0..=2000 by 25, "Hundredths of a centipawn for a unit of a castle map.";
    assault_weight = 400, 0..=2000 by 25, "Hundredths of a centipawn for a unit of an assault map.";
    positional_weight = 100, 0..=2000 by 25, "Hundredths of a centipawn for a unit of a positional map.";
    castle_alive = 1, 1..=2 by 1, "Similar castles, and assaults, of each player that are kept alive in the tree.";
    castle_stage = 50, 0..=100 by 10, "What is left of the castle maps once the castle stands, in hundredths.";
    castle_plan = 0, 0..=1 by 1, "Is the order of moves that the plan for the castle says preferred among lines that end alike?";
    castle_moves = 0, 0..=1 by 1, "Are moves never left out that bring a piece nearer to its place?";
    plausible = 0, 0..=5 by 1, "Plausible moves: are quiet moves rated by what they are for, and which are searched? 0 for no; 1 for those that a generator produces, 2 for those whose merit is not negative, 3 for the best, 4 for the best that have most of the probability, 5 for all.";
    plausible_best = 25, 1..=600 by 1, "How many moves are the best.";
    plausible_mass = 990, 1..=1000 by 5, "Most of the probability, in thousandths.";
    plausible_merits = 1, 0..=1 by 1, "The merits of moves: 0 for those set by hand, 1 for those fitted to games of masters.";
    plausible_hierarchy = 1, 0..=1 by 1, "Do improvement and prevention rest while a strong threat is on the board?";
    plausible_order = 10, 0..=100 by 1, "What a unit of merit adds to the history score of a quiet move that is rated, in the order of moves.";
    plausible_reduction = 0, 0..=200 by 5, "Hundredths of a ply by which a late move that is rated is reduced less for each 100 units of merit above even, or more below.";
    plausible_even = 100, -1000..=1000 by 20, "Even merit: late moves that have it are reduced as usual.";
    plausible_depth = 1, 1..=15 by 1, "The fewest plies of depth at which moves are rated.";
    depth_of_capture = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would take a piece.";
    depth_of_promote = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would promote.";
    depth_of_check = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would give check.";
    depth_of_attack_king = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would bear on the enemy king.";
    depth_of_attack_material = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would attack a piece.";
    depth_of_discovered_attack = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would open the line of a slider.";
    depth_of_threaten_promotion = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would threaten to promote.";
    depth_of_answer_check = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would answer a check.";
    depth_of_defend_king = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would defend the own king.";
    depth_of_defend_material = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would save a piece.";
    depth_of_defend_discovered = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would answer a line that could be opened.";
    depth_of_defend_promotion = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would keep a piece from promoting.";
    depth_of_defend_pin = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would help a pinned piece.";
    depth_of_ease_tie = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would free the only guard of a piece.";
    depth_of_guard_undefended = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would protect what nobody protects.";
    depth_of_defend_exchange = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would protect what is attacked as often as protected.";
    depth_of_cover_own_camp = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would cover the own camp.";
    depth_of_develop = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would develop.";
    depth_of_pin = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would pin a piece.";
    depth_of_cover_enemy_camp = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would bear on the enemy camp.";
    depth_of_avoid_development = 1, 1..=15 by 1, "The fewest plies of depth at which a move is plausible because it would take squares that the opponent wants.";
    mate_in_one = 1, 0..=1 by 1, "Is a mate in one looked for before moves are searched?";
    mate_depth = 9, 1..=15 by 1, "The fewest plies of depth at which longer mates are looked for.";
    mate_nodes = 20, 0..=1000 by 10, "Nodes of the mate solver for that, for each ply of depth; 0 for never.";
}

impl AlphaBetaParams {
    /// What is wanted of the maps of castles and assaults; `None` for nothing.
    pub fn maps(&self) -> Option<Wishes> {
        let wanted = self.castle_maps != 0 || self.assault_maps != 0 || self.positional_maps != 0;
        wanted.then_some(Wishes {
            castles: self.castle_maps * self.castle_weight,
            assaults: self.assault_maps * self.assault_weight,
            positional: self.positional_maps * self.positional_weight,
            alive: self.castle_alive as usize,
            middle_game: self.castle_stage,
        })
    }

    /// Which moves are plausible enough to be searched; `None` for all.
    pub fn cut(&self) -> Option<Cut> {
        match self.plausible {
            1 => Some(Cut::All),
            2 => Some(Cut::Merit),
            3 => Some(Cut::Best(self.plausible_best as usize)),
            4 => Some(Cut::Mass(f64::from(self.plausible_mass) / 1000.0)),
            _ => None,
        }
    }

    /// The fewest plies of depth at which each generator is asked, in the order of
    /// [`Generator::ALL`].
    pub const fn generator_depths(&self) -> [i32; Generator::COUNT] {
        [
            self.depth_of_capture,
            self.depth_of_promote,
            self.depth_of_check,
            self.depth_of_attack_king,
            self.depth_of_attack_material,
            self.depth_of_discovered_attack,
            self.depth_of_threaten_promotion,
            self.depth_of_answer_check,
            self.depth_of_defend_king,
            self.depth_of_defend_material,
            self.depth_of_defend_discovered,
            self.depth_of_defend_promotion,
            self.depth_of_defend_pin,
            self.depth_of_ease_tie,
            self.depth_of_guard_undefended,
            self.depth_of_defend_exchange,
            self.depth_of_cover_own_camp,
            self.depth_of_develop,
            self.depth_of_pin,
            self.depth_of_cover_enemy_camp,
            self.depth_of_avoid_development,
        ]
    }

    /// Settings with a name. `full-width-2000` is the plain search of the papers: no move is left
    /// out or reduced; recaptures and checks are extended.
    fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::default()),
            "full-width-2000" => Some(Self {
                null_move: 0,
                reverse_futility_depth: 0,
                futility_pruning_depth: 0,
                razor_depth: 0,
                probcut: 0,
                multi_cut: 0,
                lmp: 0,
                lmr: 0,
                see_depth: 0,
                iir: 0,
                singular: 0,
                mate_nodes: 0,
                check_extension: 4,
                one_reply_extension: 0,
                recapture_extension: 4,
                promotion_extension: 0,
                mate_threat_extension: 0,
                ..Self::default()
            }),
            _ => None,
        }
    }
}
