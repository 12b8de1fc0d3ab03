//! Names of shots: one row for each, narrowest first, with the detector that recognises it.

use super::line::Line;
use super::routes::Evidence;
use super::{kings, offers, raids, routes};
use crate::rules::Variant;

/// Languages of names, in the order of [`Definition::names`].
pub(super) const LANGUAGES: [&str; 6] = ["en", "nl", "fr", "it", "pt", "ru"];

/// Names decided by the king's stroke, whatever was offered before.
const TURKISH: [&str; 3] = ["coup_turc", "coup_demi_turc", "coup_suisse"];

/// The board on which a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    International,
    English,
    /// Russian draughts and other variants on 64 squares with flying kings.
    Russian,
}

/// The use of a definition: as a name, a mechanism or a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A name and a tag, on its own board only.
    Route,
    /// The same, for a line of the opening that is played move by move, which may win what it gives only later.
    Opening,
    /// A tag in every variant, and a name on its own board.
    Mechanism,
    /// A tag in every variant. These fit too many shots to be names: of 125 examples with other names, 60 have a trap.
    Tag,
}

/// Where a definition that fits can be the name of a shot.
#[derive(Debug)]
enum Headline {
    Always,
    /// If the shot has no mechanisms but these: what fits many shots is a name only where nothing else explains them.
    Only(&'static [&'static str]),
    /// If the line has the strict form: others only resemble it.
    If(fn(&Line) -> bool),
}

/// A kind of shot.
#[derive(Debug)]
pub struct Definition {
    id: &'static str,
    names: [&'static str; 6],
    source: &'static str,
    board: Board,
    kind: Kind,
    /// The squares from which the last capture starts; empty if it can be any.
    raiders: &'static [u8],
    /// Where this can be a name.
    headline: Headline,
    detect: fn(&Line) -> Evidence,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Definition {}

impl Definition {
    /// Returns all kinds of shots, names before mechanisms.
    pub const fn all() -> &'static [Self] {
        DEFINITIONS
    }

    /// Returns the kind with an identifier, with or without the prefix `coup_`; see [`named`](Self::named) for other names.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        let id = id.to_lowercase().replace('-', "_");
        DEFINITIONS.iter().find(|row| row.id == id || row.id.strip_prefix("coup_") == Some(&*id))
    }

    /// Returns the identifier, which is the same in every release.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Returns the name in a language, or else in French or English, or else the identifier.
    pub fn name(&self, language: &str) -> &'static str {
        let wanted = LANGUAGES.iter().position(|&known| known == language).unwrap_or_default();
        [wanted, 2, 0].into_iter().map(|index| self.names[index]).find(|name| !name.is_empty()).unwrap_or(self.id)
    }

    /// Returns the source of the definition; empty for definitions of this program.
    pub(crate) const fn source(&self) -> &'static str {
        self.source
    }

    /// Returns the variant in which the name is used, or the first of them; mechanisms occur in others too.
    pub const fn variant(&self) -> Variant {
        match self.board {
            Board::International => Variant::INTERNATIONAL,
            Board::English => Variant::ENGLISH,
            Board::Russian => Variant::RUSSIAN,
        }
    }

    /// Returns true if this can be the name of a shot, not only a mechanism.
    pub fn is_name(&self) -> bool {
        self.kind != Kind::Tag
    }

    /// Returns true if the squares decide, so that the name says where the shot happens: the royal shot, not a staircase.
    pub(crate) fn is_route(&self) -> bool {
        matches!(self.kind, Kind::Route | Kind::Opening)
    }

    /// Returns true if this can be the name of a shot with certain mechanisms, itself included.
    pub(super) fn may_head<'a>(&self, line: &Line, mut mechanisms: impl Iterator<Item = &'a Self>) -> bool {
        match self.headline {
            Headline::Always => true,
            Headline::Only(allowed) => mechanisms.all(|other| other == self || allowed.contains(&other.id)),
            Headline::If(is_strict) => is_strict(line),
        }
    }

    /// Returns true if shots of a variant can have this name.
    pub(super) fn names_in(&self, variant: Variant) -> bool {
        self.is_name() && self.is_on_board(variant)
    }

    fn is_on_board(&self, variant: Variant) -> bool {
        match self.board {
            Board::International => variant == Variant::INTERNATIONAL,
            Board::English => variant == Variant::ENGLISH,
            Board::Russian => variant == Variant::RUSSIAN || variant == Variant::BRAZILIAN,
        }
    }

    /// Returns true if lines with this name are shots even if they win nothing, because the squares suffice: they may break even,
    /// those of International draughts may cost a man for a better position, and openings may lose men.
    pub(super) fn allows_gain(&self, gain: i32) -> bool {
        let least = -i32::from(self.is_route() && self.board == Board::International);
        self.kind == Kind::Opening || (gain >= least && (self.is_route() || TURKISH.contains(&self.id)))
    }

    /// Returns false if the starting square of the last capture rules out this name.
    pub(super) fn may_end_from(&self, number: u8, variant: Variant) -> bool {
        (!self.is_route() || self.is_on_board(variant)) && (self.raiders.is_empty() || self.raiders.contains(&number))
    }

    /// Returns the squares that show that a line is such a shot.
    pub(super) fn evidence(&self, line: &Line) -> Evidence {
        if self.is_route() && !self.is_on_board(line.variant) { None } else { (self.detect)(line) }
    }
}

const DEFINITIONS: &[Definition] = &[
    Definition {
        id: "coup_dambrun",
        names: ["", "", "coup Dambrun", "", "", ""],
        source: "French Wikipedia, Coup Dambrun",
        board: Board::International,
        kind: Kind::Opening,
        raiders: &[33],
        headline: Headline::Always,
        detect: routes::dambrun,
    },
    Definition {
        id: "coup_fabre_debut",
        names: ["Fabre opening shot", "openingszet van Fabre", "coup Fabre du début", "", "", ""],
        source: "French Wikipedia, Coup Fabre",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[32],
        headline: Headline::Always,
        detect: routes::fabre,
    },
    Definition {
        id: "coup_springer",
        names: ["Springer shot", "zet van Springer", "coup Springer", "", "", "удар Шпрингера"],
        source: "French Wikipedia, Coup Springer",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[38],
        headline: Headline::Always,
        detect: routes::springer,
    },
    Definition {
        id: "coup_cheval",
        names: ["horse shot", "maanslag / zet van Fabre", "coup du cheval / coup Fabre", "", "", ""],
        source: "French Wikipedia, Coup du cheval",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[28],
        headline: Headline::Always,
        detect: routes::cheval,
    },
    Definition {
        id: "coup_deslauriers",
        names: ["Deslauriers (Avid) shot", "zetje van Deslauriers", "coup Deslauriers / coup Avid", "", "", ""],
        source: "French Wikipedia, Coup Deslauriers",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[36],
        headline: Headline::Always,
        detect: routes::deslauriers,
    },
    Definition {
        id: "coup_bonnard",
        names: ["Bonnard shot", "coup Bonnard", "coup Bonnard", "", "", "удар Боннара"],
        source: "French Wikipedia, Coup Bonnard",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[25],
        headline: Headline::Always,
        detect: routes::bonnard,
    },
    Definition {
        id: "coup_royal",
        names: ["royal shot (coup royal)", "coup royal", "coup royal", "colpo reale", "golpe real", "королевский удар"],
        source: "French Wikipedia, Coup royal",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[40],
        headline: Headline::Always,
        detect: routes::royal,
    },
    Definition {
        id: "coup_eponge",
        names: ["sponge", "", "coup de l'éponge", "", "", ""],
        source: "French Wikipedia, Coup de l'éponge",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::eponge,
    },
    Definition {
        id: "coup_marne",
        names: ["Marne shot", "Marneslag / coup Marne", "coup Marne", "", "", ""],
        source: "French Wikipedia, Coup Marne",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[38, 40],
        headline: Headline::If(routes::clears_marne),
        detect: routes::marne,
    },
    Definition {
        id: "coup_philippe",
        names: ["Philippe shot", "coup Philippe", "coup Philippe", "colpo Philippe", "golpe Philippe", "удар Филиппа"],
        source: "French Wikipedia, Coup Philippe",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[38, 40],
        headline: Headline::If(routes::clears_philippe),
        detect: routes::philippe,
    },
    Definition {
        id: "coup_express",
        names: [
            "Weiss shot / express",
            "zet van Weiss",
            "coup Weiss / coup de l'express",
            "tiro Weiss",
            "golpe do expresso",
            "удар Вейсса",
        ],
        source: "French Wikipedia, Coup Weiss",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[33],
        headline: Headline::If(routes::gives_three),
        detect: routes::express,
    },
    Definition {
        id: "coup_napoleon",
        names: [
            "Napoleon shot",
            "coup Napoléon",
            "coup Napoléon",
            "colpo Napoleone",
            "golpe Napoleão",
            "удар Наполеона",
        ],
        source: "French Wikipedia, Coup Napoléon",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::napoleon,
    },
    Definition {
        id: "coup_turc",
        names: [
            "Turkish stroke",
            "Turkse slag / coup turc",
            "coup turc",
            "colpo turco",
            "golpe turco",
            "турецкий удар",
        ],
        source: "French Wikipedia, Coup turc",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::turc,
    },
    Definition {
        id: "coup_demi_turc",
        names: ["half-Turkish stroke", "", "coup demi-turc", "", "", ""],
        source: "French Wikipedia, Coup turc",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::demi_turc,
    },
    Definition {
        id: "coup_suisse",
        names: ["Swiss stroke", "coup suisse", "coup suisse", "", "", ""],
        source: "French Wikipedia, Coup suisse",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::suisse,
    },
    Definition {
        id: "coup_marquis",
        names: ["marquis (hostage)", "", "coup du marquis / otage", "", "", ""],
        source: "French Wikipedia, Coup du marquis",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::marquis,
    },
    Definition {
        id: "coup_escalier",
        names: ["staircase / ladder", "", "coup de l'escalier", "", "", "лестница"],
        source: "French Wikipedia, Coup de l'escalier",
        board: Board::International,
        kind: Kind::Route,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::escalier,
    },
    Definition {
        id: "coup_bombe",
        names: ["bomb", "bomzet", "coup de la bombe", "tiro della bomba", "golpe da bomba", "бомба"],
        source: "French Wikipedia, Coup de la bombe",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::bombe,
    },
    Definition {
        id: "coup_arnoux",
        names: ["Arnoux shot", "", "coup Arnoux", "", "", ""],
        source: "French Wikipedia, Coup Arnoux",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::arnoux,
    },
    Definition {
        id: "coup_ricochet",
        names: ["ricochet", "", "coup de ricochet", "", "", ""],
        source: "French Wikipedia, Coup de ricochet",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::If(raids::rebounds_twice),
        detect: raids::ricochet,
    },
    Definition {
        id: "coup_double_deux",
        names: ["double two", "", "coup du double-deux", "", "", ""],
        source: "French Wikipedia, Coup du double-deux",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::double_deux,
    },
    Definition {
        id: "coup_talon",
        names: ["heel shot", "hielslag", "coup de talon", "tiro del tallone", "golpe de talão", ""],
        source: "French Wikipedia, Coup de talon",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::talon,
    },
    Definition {
        id: "envoi_a_dame",
        names: ["king offer (sending to king)", "", "envoi à dame", "", "", ""],
        source: "French Wikipedia, Envoi à dame",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::If(kings::is_sent),
        detect: kings::envoi,
    },
    Definition {
        id: "coup_direct",
        names: ["direct shot", "", "coup direct", "tiro diretto", "", ""],
        source: "French Wikipedia, Coup direct (jeu de dames)",
        board: Board::International,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Only(&["coup_droit", "coup_mazette", "coup_trappe", "king"]),
        detect: raids::direct,
    },
    Definition {
        id: "coup_renverse",
        names: ["reversed shot", "", "coup renversé", "", "", ""],
        source: "French Wikipedia, Coup renversé",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::renverse,
    },
    Definition {
        id: "coup_rappel",
        names: ["recall (return shot)", "", "coup de rappel / revenez-y / navette / va-et-vient", "", "", ""],
        source: "French Wikipedia, Coup de rappel",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::rappel,
    },
    Definition {
        id: "coup_promenade",
        names: [
            "walk / semi-direct shot",
            "",
            "coup de la promenade (coup semi-direct)",
            "tiro della passeggiata",
            "",
            "",
        ],
        source: "FSJD, Tactique",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::promenade,
    },
    Definition {
        id: "coup_mazette",
        names: ["patzer's shot (mazette)", "", "coup de mazette", "", "golpe do mazette", ""],
        source: "French Wikipedia, Coup de mazette",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::mazette,
    },
    Definition {
        id: "coup_trappe",
        names: ["trapdoor", "", "coup de la trappe", "tiro della trappola", "", ""],
        source: "French Wikipedia, Coup de la trappe",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::trappe,
    },
    Definition {
        id: "coup_droit",
        names: ["straight shot", "rechte damslag", "coup droit", "", "", ""],
        source: "French Wikipedia, Coup droit (jeu de dames)",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::droit,
    },
    Definition {
        id: "collage",
        names: ["glueing / stick-on", "plakker", "collage", "incollatura", "", ""],
        source: "French Wikipedia, Coup normand",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::collage,
    },
    Definition {
        id: "temps_de_repos",
        names: ["free move (rest tempo)", "vrije zet", "temps de repos", "tempo di attesa", "", "роздых"],
        source: "FSJD, Tactique",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::free_move,
    },
    Definition {
        id: "prise_majoritaire",
        names: [
            "majority capture",
            "meerslag",
            "prise majoritaire",
            "priorità di presa (quantità)",
            "lei da maioria",
            "правило большинства",
        ],
        source: "FSJD, Tactique",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::majority,
    },
    Definition {
        id: "eng_goose_walk",
        names: ["Goose Walk", "", "", "", "", ""],
        source: "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard",
        board: Board::English,
        kind: Kind::Opening,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::goose_walk,
    },
    Definition {
        id: "eng_steele",
        names: ["Steele stroke", "", "", "", "", ""],
        source: "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard",
        board: Board::English,
        kind: Kind::Opening,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::steele,
    },
    Definition {
        id: "eng_horsefall",
        names: ["Horsefall stroke", "", "", "", "", ""],
        source: "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard",
        board: Board::English,
        kind: Kind::Opening,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::horsefall,
    },
    Definition {
        id: "eng_canalejas",
        names: ["Canalejas Cannonball", "", "", "", "", ""],
        source: "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard",
        board: Board::English,
        kind: Kind::Opening,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::canalejas,
    },
    Definition {
        id: "eng_fools_trap",
        names: ["Fool's trap", "", "", "", "", ""],
        source: "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard",
        board: Board::English,
        kind: Kind::Opening,
        raiders: &[],
        headline: Headline::Always,
        detect: routes::fools_trap,
    },
    Definition {
        id: "eng_three_for_two",
        names: ["three-for-two (3 for 2)", "", "", "", "", ""],
        source: "R. Pask, Checkers in a Nutshell",
        board: Board::English,
        kind: Kind::Route,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::three_for_two,
    },
    Definition {
        id: "eng_two_for_one",
        names: ["two-for-one (2 for 1)", "", "", "", "", ""],
        source: "R. Pask, Checkers in a Nutshell",
        board: Board::English,
        kind: Kind::Route,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::two_for_one,
    },
    Definition {
        id: "rus_turkish_strike",
        names: ["Turkish strike", "Turkse slag", "coup turc", "colpo turco", "golpe turco", "турецкий удар"],
        source: "fenix64.com, glossary",
        board: Board::Russian,
        kind: Kind::Mechanism,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::stopped,
    },
    Definition {
        id: "rus_breakthrough",
        names: ["breakthrough", "doorbraak", "coup de la percée", "", "", "прорыв"],
        source: "fenix64.com, glossary",
        board: Board::Russian,
        kind: Kind::Route,
        raiders: &[],
        headline: Headline::Always,
        detect: raids::breakthrough,
    },
    Definition {
        id: "king",
        names: [
            "man becomes a king",
            "schijf wordt dam",
            "pion qui devient dame",
            "pedina che va a dama",
            "pedra que coroa",
            "проход в дамки",
        ],
        source: "",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::king,
    },
    Definition {
        id: "waiting_capture",
        names: [
            "waiting capture",
            "wachtslag",
            "prise d'attente",
            "presa d'attesa",
            "captura de espera",
            "выжидательный бой",
        ],
        source: "",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::waiting_capture,
    },
    Definition {
        id: "twice",
        names: [
            "one piece captures twice",
            "één stuk slaat twee keer",
            "une pièce prend deux fois",
            "un pezzo prende due volte",
            "uma peça toma duas vezes",
            "одна шашка бьёт дважды",
        ],
        source: "",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: offers::twice,
    },
    Definition {
        id: "blocked_king",
        names: [
            "blocked king",
            "geblokkeerde dam",
            "dame arrêtée",
            "dama bloccata",
            "dama bloqueada",
            "остановленная дамка",
        ],
        source: "",
        board: Board::International,
        kind: Kind::Tag,
        raiders: &[],
        headline: Headline::Always,
        detect: kings::blocked,
    },
];
