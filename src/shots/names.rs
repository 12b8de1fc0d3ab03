//! Names of shots: one row for each, narrowest first, with the detector that recognises it.

use super::line::Line;
use super::routes::Evidence;
use super::{kings, offers, raids, routes};
use crate::rules::Variant;

/// Languages of names, in the order of [`Definition::names`].
pub(super) const LANGUAGES: [&str; 6] = ["en", "nl", "fr", "it", "pt", "ru"];

/// Names decided by the king's stroke, whatever was offered before.
const TURKISH: [&str; 3] = ["coup_turc", "coup_demi_turc", "coup_suisse"];

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
    /// The variant in which the name is used; those of Russian draughts are used in Brazilian draughts too.
    variant: Variant,
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
        self.variant
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
        variant == self.variant || variant == Variant::BRAZILIAN && self.variant == Variant::RUSSIAN
    }

    /// Returns true if lines with this name are shots even if they win nothing, because the squares suffice: they may break even,
    /// those of International draughts may cost a man for a better position, and openings may lose men.
    pub(super) fn allows_gain(&self, gain: i32) -> bool {
        let least = -i32::from(self.is_route() && self.variant == Variant::INTERNATIONAL);
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

/// Makes the table of definitions. A row has an identifier and the names; below them, the source, the variant, the kind, the
/// squares from which the last capture starts, unless it can be any, the headline and the detector.
macro_rules! definitions {
    ($($id:ident $names:tt
        $source:literal $variant:ident $kind:ident $raiders:tt $headline:ident$(($form:expr))? $detect:path;)*) => {
        &[$(Definition {
            id: stringify!($id),
            names: $names,
            source: $source,
            variant: Variant::$variant,
            kind: Kind::$kind,
            raiders: &$raiders,
            headline: Headline::$headline$(($form))?,
            detect: $detect,
        }),*]
    };
}

const DEFINITIONS: &[Definition] = definitions! {
    coup_dambrun ["", "", "coup Dambrun", "", "", ""]
        "French Wikipedia, Coup Dambrun" INTERNATIONAL Opening [33] Always routes::dambrun;
    coup_fabre_debut ["Fabre opening shot", "openingszet van Fabre", "coup Fabre du début", "", "", ""]
        "French Wikipedia, Coup Fabre" INTERNATIONAL Route [32] Always routes::fabre;
    coup_springer ["Springer shot", "zet van Springer", "coup Springer", "", "", "удар Шпрингера"]
        "French Wikipedia, Coup Springer" INTERNATIONAL Route [38] Always routes::springer;
    coup_cheval ["horse shot", "maanslag / zet van Fabre", "coup du cheval / coup Fabre", "", "", ""]
        "French Wikipedia, Coup du cheval" INTERNATIONAL Route [28] Always routes::cheval;
    coup_deslauriers ["Deslauriers (Avid) shot", "zetje van Deslauriers", "coup Deslauriers / coup Avid", "", "", ""]
        "French Wikipedia, Coup Deslauriers" INTERNATIONAL Route [36] Always routes::deslauriers;
    coup_bonnard ["Bonnard shot", "coup Bonnard", "coup Bonnard", "", "", "удар Боннара"]
        "French Wikipedia, Coup Bonnard" INTERNATIONAL Route [25] Always routes::bonnard;
    coup_royal ["royal shot (coup royal)", "coup royal", "coup royal", "colpo reale", "golpe real", "королевский удар"]
        "French Wikipedia, Coup royal" INTERNATIONAL Route [40] Always routes::royal;
    coup_eponge ["sponge", "", "coup de l'éponge", "", "", ""]
        "French Wikipedia, Coup de l'éponge" INTERNATIONAL Mechanism [] Always raids::eponge;
    coup_marne ["Marne shot", "Marneslag / coup Marne", "coup Marne", "", "", ""]
        "French Wikipedia, Coup Marne" INTERNATIONAL Route [38, 40]
        If(|line| routes::clears(line, &[18, 9, 20])) routes::marne;
    coup_philippe ["Philippe shot", "coup Philippe", "coup Philippe",
        "colpo Philippe", "golpe Philippe", "удар Филиппа"]
        "French Wikipedia, Coup Philippe" INTERNATIONAL Route [38, 40]
        If(|line| routes::clears(line, &[18, 7, 16])) routes::philippe;
    coup_express ["Weiss shot / express", "zet van Weiss", "coup Weiss / coup de l'express",
        "tiro Weiss", "golpe do expresso", "удар Вейсса"]
        "French Wikipedia, Coup Weiss" INTERNATIONAL Route [33] If(routes::gives_three) routes::express;
    coup_napoleon ["Napoleon shot", "coup Napoléon", "coup Napoléon",
        "colpo Napoleone", "golpe Napoleão", "удар Наполеона"]
        "French Wikipedia, Coup Napoléon" INTERNATIONAL Route [] Always routes::napoleon;
    coup_turc ["Turkish stroke", "Turkse slag / coup turc", "coup turc", "colpo turco", "golpe turco", "турецкий удар"]
        "French Wikipedia, Coup turc" INTERNATIONAL Mechanism [] Always kings::turc;
    coup_demi_turc ["half-Turkish stroke", "", "coup demi-turc", "", "", ""]
        "French Wikipedia, Coup turc" INTERNATIONAL Mechanism [] Always kings::demi_turc;
    coup_suisse ["Swiss stroke", "coup suisse", "coup suisse", "", "", ""]
        "French Wikipedia, Coup suisse" INTERNATIONAL Mechanism [] Always kings::suisse;
    coup_marquis ["marquis (hostage)", "", "coup du marquis / otage", "", "", ""]
        "French Wikipedia, Coup du marquis" INTERNATIONAL Mechanism [] Always kings::marquis;
    coup_escalier ["staircase / ladder", "", "coup de l'escalier", "", "", "лестница"]
        "French Wikipedia, Coup de l'escalier" INTERNATIONAL Route [] Always kings::escalier;
    coup_bombe ["bomb", "bomzet", "coup de la bombe", "tiro della bomba", "golpe da bomba", "бомба"]
        "French Wikipedia, Coup de la bombe" INTERNATIONAL Mechanism [] Always raids::bombe;
    coup_arnoux ["Arnoux shot", "", "coup Arnoux", "", "", ""]
        "French Wikipedia, Coup Arnoux" INTERNATIONAL Mechanism [] Always raids::arnoux;
    coup_ricochet ["ricochet", "", "coup de ricochet", "", "", ""]
        "French Wikipedia, Coup de ricochet" INTERNATIONAL Mechanism [] If(raids::rebounds_twice) raids::ricochet;
    coup_double_deux ["double two", "", "coup du double-deux", "", "", ""]
        "French Wikipedia, Coup du double-deux" INTERNATIONAL Mechanism [] Always raids::double_deux;
    coup_talon ["heel shot", "hielslag", "coup de talon", "tiro del tallone", "golpe de talão", ""]
        "French Wikipedia, Coup de talon" INTERNATIONAL Mechanism [] Always raids::talon;
    envoi_a_dame ["king offer (sending to king)", "", "envoi à dame", "", "", ""]
        "French Wikipedia, Envoi à dame" INTERNATIONAL Mechanism [] If(kings::is_sent) kings::envoi;
    coup_direct ["direct shot", "", "coup direct", "tiro diretto", "", ""]
        "French Wikipedia, Coup direct (jeu de dames)" INTERNATIONAL Mechanism []
        Only(&["coup_droit", "coup_mazette", "coup_trappe", "king"]) raids::direct;
    coup_renverse ["reversed shot", "", "coup renversé", "", "", ""]
        "French Wikipedia, Coup renversé" INTERNATIONAL Tag [] Always offers::renverse;
    coup_rappel ["recall (return shot)", "", "coup de rappel / revenez-y / navette / va-et-vient", "", "", ""]
        "French Wikipedia, Coup de rappel" INTERNATIONAL Tag [] Always offers::rappel;
    coup_promenade ["walk / semi-direct shot", "", "coup de la promenade (coup semi-direct)",
        "tiro della passeggiata", "", ""]
        "FSJD, Tactique" INTERNATIONAL Tag [] Always offers::promenade;
    coup_mazette ["patzer's shot (mazette)", "", "coup de mazette", "", "golpe do mazette", ""]
        "French Wikipedia, Coup de mazette" INTERNATIONAL Tag [] Always offers::mazette;
    coup_trappe ["trapdoor", "", "coup de la trappe", "tiro della trappola", "", ""]
        "French Wikipedia, Coup de la trappe" INTERNATIONAL Tag [] Always offers::trappe;
    coup_droit ["straight shot", "rechte damslag", "coup droit", "", "", ""]
        "French Wikipedia, Coup droit (jeu de dames)" INTERNATIONAL Tag [] Always raids::droit;
    collage ["glueing / stick-on", "plakker", "collage", "incollatura", "", ""]
        "French Wikipedia, Coup normand" INTERNATIONAL Tag [] Always offers::collage;
    temps_de_repos ["free move (rest tempo)", "vrije zet", "temps de repos", "tempo di attesa", "", "роздых"]
        "FSJD, Tactique" INTERNATIONAL Tag [] Always offers::free_move;
    prise_majoritaire ["majority capture", "meerslag", "prise majoritaire",
        "priorità di presa (quantità)", "lei da maioria", "правило большинства"]
        "FSJD, Tactique" INTERNATIONAL Tag [] Always offers::majority;
    eng_goose_walk ["Goose Walk", "", "", "", "", ""]
        "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard" ENGLISH Opening [] Always routes::goose_walk;
    eng_steele ["Steele stroke", "", "", "", "", ""]
        "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard" ENGLISH Opening [] Always routes::steele;
    eng_horsefall ["Horsefall stroke", "", "", "", "", ""]
        "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard" ENGLISH Opening [] Always routes::horsefall;
    eng_canalejas ["Canalejas Cannonball", "", "", "", "", ""]
        "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard" ENGLISH Opening [] Always routes::canalejas;
    eng_fools_trap ["Fool's trap", "", "", "", "", ""]
        "W. F. Ryan, Tricks, Traps and Shots of the Checkerboard" ENGLISH Opening [] Always routes::fools_trap;
    eng_three_for_two ["three-for-two (3 for 2)", "", "", "", "", ""]
        "R. Pask, Checkers in a Nutshell" ENGLISH Route [] Always raids::three_for_two;
    eng_two_for_one ["two-for-one (2 for 1)", "", "", "", "", ""]
        "R. Pask, Checkers in a Nutshell" ENGLISH Route [] Always raids::two_for_one;
    rus_turkish_strike ["Turkish strike", "Turkse slag", "coup turc", "colpo turco", "golpe turco", "турецкий удар"]
        "fenix64.com, glossary" RUSSIAN Mechanism [] Always kings::stopped;
    rus_breakthrough ["breakthrough", "doorbraak", "coup de la percée", "", "", "прорыв"]
        "fenix64.com, glossary" RUSSIAN Route [] Always raids::breakthrough;
    king ["man becomes a king", "schijf wordt dam", "pion qui devient dame",
        "pedina che va a dama", "pedra que coroa", "проход в дамки"]
        "" INTERNATIONAL Tag [] Always offers::king;
    waiting_capture ["waiting capture", "wachtslag", "prise d'attente",
        "presa d'attesa", "captura de espera", "выжидательный бой"]
        "" INTERNATIONAL Tag [] Always offers::waiting_capture;
    twice ["one piece captures twice", "één stuk slaat twee keer", "une pièce prend deux fois",
        "un pezzo prende due volte", "uma peça toma duas vezes", "одна шашка бьёт дважды"]
        "" INTERNATIONAL Tag [] Always offers::twice;
    blocked_king ["blocked king", "geblokkeerde dam", "dame arrêtée",
        "dama bloccata", "dama bloqueada", "остановленная дамка"]
        "" INTERNATIONAL Tag [] Always kings::blocked;
};
