"""Functions that `pickle` calls to restore objects."""

from collections.abc import Sequence

from pdn._core import (
    Analysis,
    Board,
    Evaluation,
    Game,
    Limit,
    Line,
    Move,
    Node,
    restore_analysis,
    restore_board,
    restore_game,
    restore_line,
    restore_move,
    restore_node,
)


def board(fen: str, variant: str, moves: list[str], king_runs: list[tuple[int, int] | None]) -> Board:
    """Returns the board after the moves, and after consecutive moves of kings before them."""
    restored = restore_board(fen, variant, king_runs)
    for move in moves:
        restored.push_move(move)
    return restored


def limit(
    nodes: int | None,
    depth: int | None,
    time: float | None,
    clocks: Sequence[float | None] = (None, None, None, None),
    remaining_moves: int | None = None,
) -> Limit:
    """Returns the limit."""
    white_clock, black_clock, white_inc, black_inc = clocks
    return Limit(
        nodes=nodes,
        depth=depth,
        time=time,
        white_clock=white_clock,
        black_clock=black_clock,
        white_inc=white_inc,
        black_inc=black_inc,
        remaining_moves=remaining_moves,
    )


def evaluation(cm: int | None, win_in: int | None, winner: bool | None) -> Evaluation:
    """Returns the evaluation."""
    if cm is not None:
        return Evaluation(cm)
    assert win_in is not None and winner is not None
    return Evaluation(win_in=win_in, winner=winner)


def move(variant: str, fen: str | None, parts: tuple[int, int, list[int], bool]) -> Move:
    """Returns the move."""
    return restore_move(variant, fen, parts)


def game(text: bytes, variant: str | None, encoding: str, place: tuple[str, int, tuple[int, int, int]]) -> Game:
    """Returns the game."""
    return restore_game(text, variant, encoding, place)


def node(of: Game, number: int) -> Node:
    """Returns the move of a game."""
    return restore_node(of, number)


def line(evaluation: Evaluation, moves: list[Move]) -> Line:
    """Returns the line."""
    return restore_line(evaluation, moves)


def analysis(lines: list[Line], depth: int, nodes: int) -> Analysis:
    """Returns the analysis."""
    return restore_analysis(lines, depth, nodes)
