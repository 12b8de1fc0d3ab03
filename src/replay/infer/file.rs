//! The inference of a file, made when a game needs it.

use std::sync::{Arc, OnceLock};

use super::Inference;

/// The first bytes of a file and, once a game without a GameType is met, what is inferred from them.
#[derive(Clone, Debug)]
pub(crate) struct FileInference(Arc<Lazy>);

#[derive(Debug)]
struct Lazy {
    head: Arc<[u8]>,
    inference: OnceLock<Inference>,
}

impl FileInference {
    pub(crate) fn of(head: Arc<[u8]>) -> Self {
        Self(Arc::new(Lazy { head, inference: OnceLock::new() }))
    }

    pub(crate) fn get(&self) -> &Inference {
        self.0.inference.get_or_init(|| Inference::of(&self.0.head))
    }
}

#[cfg(test)]
mod tests {
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    #[test]
    fn nothing_is_inferred_for_games_with_a_game_type() {
        let text = b"[GameType \"20\"]\n1. 32-28 *\n\n1. 32-28 19-23 2. 28x19 *";
        let options = ReplayOptions::default().for_file(&text[..]);
        let is_made = || options.file.as_ref().is_some_and(|file| file.0.inference.get().is_some());
        let made: Vec<_> =
            games(text).map(|game| (replay(game.into_tree(), &options).plies_played(), is_made())).collect();
        assert_eq!(made, [(1, false), (3, true)]);
    }
}
