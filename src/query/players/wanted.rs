//! The games of a player whose name, or a part of it, is given.

use crate::board::Side;
use crate::check::CheckedGame;
use crate::notation::one_space;
use crate::query::folded;

/// A name, or a part of one, that is compared with the names of players regardless of case and accents.
#[derive(Clone, Debug)]
pub(in crate::query) struct WantedPlayer(String);

impl WantedPlayer {
    pub(in crate::query) fn new(name: &str) -> Self {
        Self(folded(&one_space(name)).into_owned())
    }

    /// Returns true if a name is exactly the one that is wanted.
    pub(in crate::query) fn is(&self, name: &str) -> bool {
        folded(&one_space(name)) == self.0
    }

    /// Returns the side of the player in a game, White if both names fit equally well; `None` if none fits.
    pub(in crate::query) fn side(&self, game: &CheckedGame<'_>) -> Option<Side> {
        let fit = |side| {
            let name = one_space(game.known_player(side)?);
            let name = folded(&name);
            name.contains(&*self.0).then_some(*name == *self.0)
        };
        match (fit(Side::White), fit(Side::Black)) {
            (None, None) => None,
            (Some(false), Some(true)) | (None, Some(_)) => Some(Side::Black),
            _ => Some(Side::White),
        }
    }
}
