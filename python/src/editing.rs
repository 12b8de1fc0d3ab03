//! Places in games: what is before and after them, and additions to them.

use std::sync::Arc;

use pdn::edit::{Change, MoveKey};
use pdn::{GameTree, LineId, MoveText, NodeId};
use pyo3::PyResult;

use crate::board::{AnyMove, Board, boards_of};
use crate::data::{GameData, Shared};
use crate::errors::{ArgumentError, EditError, InvalidMoveError};
use crate::node::Node;
use crate::numbers::Nags;

/// A place in a game: a move, or the start.
pub(crate) struct Place<'a> {
    game: &'a Arc<Shared>,
    key: Option<MoveKey>,
}

impl<'a> Place<'a> {
    pub(crate) const fn start(game: &'a Arc<Shared>) -> Self {
        Self { game, key: None }
    }

    pub(crate) const fn of(game: &'a Arc<Shared>, key: MoveKey) -> Self {
        Self { game, key: Some(key) }
    }

    /// Returns the move; at the start, there is none.
    pub(crate) fn id(&self, data: &GameData) -> PyResult<NodeId> {
        let found = self.key.and_then(|key| data.game.find(key));
        found.ok_or_else(|| EditError::new_err("the move was removed from its game"))
    }

    /// Returns the address in changes.
    pub(crate) fn address(&self, data: &GameData) -> PyResult<String> {
        if self.key.is_none() {
            return Ok("0".to_owned());
        }
        let found = data.game.address(self.id(data)?);
        found.ok_or_else(|| EditError::new_err("the move is nested too deeply to be changed"))
    }

    /// Returns the board at the place, if it is known.
    fn board(&self, data: &GameData) -> PyResult<Option<Board>> {
        Ok(match self.key {
            None => data.played().start().copied().map(Board::of),
            Some(_) => board_after(data, self.id(data)?),
        })
    }

    /// Adds moves after the place, and returns the last one with a comment and annotation glyphs.
    pub(crate) fn add(&self, moves: Vec<AnyMove>, comment: Option<String>, Nags(nags): Nags) -> PyResult<Node> {
        if moves.is_empty() {
            return Err(ArgumentError::new_err("no moves"));
        }
        let data = self.game.data();
        let (at, board) = (self.address(&data)?, self.board(&data)?);
        drop(data);
        let moves = texts(board, moves)?;
        if comment.is_none() && nags.is_empty() {
            return self.add_texts(at, moves);
        }
        self.game.all_or_nothing(|| {
            let node = self.add_texts(at, moves)?;
            if !nags.is_empty() {
                node.set_nags(Nags(nags))?;
            }
            if comment.is_some() {
                node.set_comment(comment)?;
            }
            Ok(node)
        })
    }

    fn add_texts(&self, at: String, moves: Vec<String>) -> PyResult<Node> {
        let added = self.game.edit(&[Change::AddMoves { at, moves, clock: None }])?;
        let key = added.ok_or_else(|| EditError::new_err("the new move was not found in the game"))?;
        Ok(Node::new(Arc::clone(self.game), key))
    }

    /// Adds a move as [`Self::add`] does, and makes it the next one of its line.
    pub(crate) fn add_main(&self, made: AnyMove, comment: Option<String>, nags: Nags) -> PyResult<Node> {
        self.game.all_or_nothing(|| {
            let node = self.add(vec![made], comment, nags)?;
            // After the last move of a line, it is the next one already.
            if node.begins_line()? {
                node.promote_to_main()?;
            }
            Ok(node)
        })
    }
}

/// Returns moves from a board as text; where it is not known, they are not checked.
fn texts(mut board: Option<Board>, moves: Vec<AnyMove>) -> PyResult<Vec<String>> {
    let text = |made| match (&mut board, made) {
        (Some(board), made) => {
            let made = board.given(made)?;
            let position = board.position;
            board.play(made)?;
            Ok(position.short(&made.played))
        }
        (None, AnyMove::Text(text)) if text.parse::<MoveText>().is_ok() => Ok(text),
        (None, AnyMove::Text(text)) => Err(InvalidMoveError::new_err(format!("`{text}` is not a move"))),
        (None, AnyMove::Move(_)) => Err(EditError::new_err("the position is not known: give the move as text")),
    };
    moves.into_iter().map(text).collect()
}

/// Returns the board after a move, with the moves that led to it.
pub(crate) fn board_after(data: &GameData, id: NodeId) -> Option<Board> {
    let (game, main) = (data.played(), data.main_boards());
    game.ply(id)?.after()?;
    if let Ok(index) = main.binary_search_by_key(&id, |(id, _)| *id) {
        return Some(main[index].1.clone());
    }
    boards_of(game, path_to(game.tree(), id)).pop().filter(|(last, _)| *last == id).map(|(_, board)| board)
}

/// Returns the nodes from the start of the game to a node.
fn path_to(tree: &GameTree, id: NodeId) -> Vec<NodeId> {
    let mut path = vec![id];
    let mut last = id;
    while let Some(line) = line_of(tree, last) {
        let nodes = tree.line(line).nodes();
        let index = nodes.iter().position(|&other| other == last).unwrap_or_default();
        path.extend(nodes[..index].iter().rev());
        let Some(parent) = tree.line(line).parent() else { break };
        last = parent;
    }
    path.reverse();
    path
}

/// Returns the line with a node.
pub(crate) fn line_of(tree: &GameTree, id: NodeId) -> Option<LineId> {
    let index = tree.lines().iter().position(|line| line.nodes().contains(&id))?;
    Some(LineId::new(u32::try_from(index).ok()?))
}

/// Returns the move that the line of a node is an alternative to.
pub(crate) fn parent_move(tree: &GameTree, id: NodeId) -> Option<NodeId> {
    tree.line(line_of(tree, id)?).parent()
}

/// Returns the move before a node: in its line, or before the move that its line is an alternative to.
pub(crate) fn before(tree: &GameTree, id: NodeId) -> Option<NodeId> {
    let line = tree.line(line_of(tree, id)?);
    let own = line.nodes().iter().take_while(|&&other| other != id);
    let last = own.filter(|&&other| tree.node(other).kind().is_written_move()).last();
    last.copied().or_else(|| before(tree, line.parent()?))
}
