//! The fixed words of pages and figures in the languages of the players.

/// The language of a page: of its fixed words, its `lang` attribute and its choice of glyphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lang {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];
}

/// The words that pages and figures bring with them; all other text is given by the caller.
pub(crate) struct Words {
    pub contents: &'static str,
    pub figure: &'static str,
    pub note: &'static str,
    pub warning: &'static str,
    pub no_data: &'static str,
    pub black: &'static str,
    pub white: &'static str,
    pub to_move: &'static str,
    pub total: &'static str,
    pub mean: &'static str,
    pub chance: &'static str,
    pub score: &'static str,
    pub moves: &'static str,
    pub start: &'static str,
    pub first: &'static str,
    pub last: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub fault_before: &'static str,
    pub fault_after: &'static str,
}

const ENGLISH: Words = Words {
    contents: "Contents",
    figure: "Figure",
    note: "Note",
    warning: "Warning",
    no_data: "no data",
    black: "Black",
    white: "White",
    to_move: "to move",
    total: "total",
    mean: "mean",
    chance: "Black's chance to win",
    score: "score, Black's view",
    moves: "moves",
    start: "Start",
    first: "first position",
    last: "last position",
    before: "one move back",
    after: "one move on",
    fault_before: "mistake before",
    fault_after: "next mistake",
};

const JAPANESE: Words = Words {
    contents: "目次",
    figure: "図",
    note: "注",
    warning: "警告",
    no_data: "データなし",
    black: "先手",
    white: "後手",
    to_move: "手番",
    total: "合計",
    mean: "平均",
    chance: "先手の勝率",
    score: "評価値（先手）",
    moves: "手数",
    start: "開始局面",
    first: "最初",
    last: "最後",
    before: "一手前",
    after: "一手先",
    fault_before: "前の悪手",
    fault_after: "次の悪手",
};

impl Lang {
    /// The language tag for HTML: `en` or `ja`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The language with this tag.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "ja" => Some(Self::Japanese),
            _ => None,
        }
    }

    pub(crate) const fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::Japanese => &JAPANESE,
        }
    }
}
