//! The moves of a game as an animated GIF.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{Options, factor};
use crate::cli::context::{Context, Status};
use crate::cli::show::{each_game, shown_at};
use crate::error::{Error, Result};
use crate::replay::ReplayedGame;
use crate::report::{Animation, Diagram};

/// Maximum number of pictures. Of a whole game on a large board they take about 2 MB.
const MAX_FRAMES: usize = 500;

/// The time for each picture, unless it is given.
const DELAY: Duration = Duration::from_secs(1);

/// Writes the moves of one game as an animation.
pub(super) fn draw(options: &Options, context: &mut Context) -> Result<Status> {
    let plies = options.range()?;
    let wanted = options.game.map_or(1, u64::from);
    let (mut number, mut bytes) = (0, None);
    each_game(&options.paths, context.variant, |game| {
        number += 1;
        if number == wanted {
            bytes = Some(options.animated(&game, plies.clone())?);
        }
        Ok(number < wanted)
    })?;
    let bytes = bytes.ok_or_else(|| Error::unavailable(format!("no game {wanted}")))?;
    context.out.bytes(&bytes)?;
    Ok(Status::Clean)
}

impl Options {
    /// Returns the first and the last ply of an animation.
    fn range(&self) -> Result<RangeInclusive<usize>> {
        if self.paths.is_empty() || self.sheet.is_some() {
            return Err(Error::usage("an animation shows a game of a file, without --fen, --fens and --sheet"));
        }
        match self.ply[..] {
            [first] => Ok(first..=usize::MAX),
            [first, last] if first <= last => Ok(first..=last),
            _ => Err(Error::usage("--ply: an animation has a first ply and perhaps a last one, such as 20,28")),
        }
    }

    fn animated(&self, game: &ReplayedGame, plies: RangeInclusive<usize>) -> Result<Vec<u8>> {
        let mut animation: Option<Animation> = None;
        for (n, shown) in plies.clone().map_while(|ply| shown_at(game, Some(ply))).enumerate() {
            if n == MAX_FRAMES {
                return Err(Error::usage(format!(
                    "an animation has at most {MAX_FRAMES} positions: use --ply FIRST,LAST"
                )));
            }
            let diagram = Diagram::new(shown.position, self.view(&shown)?);
            let animation = match &mut animation {
                Some(animation) => animation,
                None => animation
                    .insert(Animation::new(factor(self, &diagram, diagram.size())?, self.delay.unwrap_or(DELAY))),
            };
            animation.add(&diagram.svg())?;
        }
        let nothing = || Error::unavailable(format!("the game has no known position after ply {}", plies.start()));
        animation.ok_or_else(nothing)?.finish()
    }
}
