"""Functions that `pickle` calls to restore objects."""

from pdn._core import Board, Limit


def board(fen: str, variant: str, moves: list[str]) -> Board:
    """Returns the board after the moves."""
    restored = Board(fen, variant=variant)
    for move in moves:
        restored.push_move(move)
    return restored


def limit(nodes: int | None, depth: int | None, time: float | None) -> Limit:
    """Returns the limit."""
    return Limit(nodes=nodes, depth=depth, time=time)
