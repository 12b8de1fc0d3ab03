"""Engines: the built-in one, and programs that speak Hub; their games against each other.

>>> import pdn
>>> analysis = pdn.engine.analyse(pdn.Board(), pdn.engine.Limit(depth=4))
>>> analysis.depth, analysis.best_move in pdn.Board().legal_moves
(4, True)
"""

from pdn._core import (
    Analysis,
    BaseEngine,
    Board,
    Engine,
    HubEngine,
    Limit,
    Line,
    Match,
    MatchScore,
    PlayResult,
    RunningAnalysis,
    match,
)

__all__ = [
    "Analysis",
    "BaseEngine",
    "Engine",
    "HubEngine",
    "Limit",
    "Line",
    "Match",
    "MatchScore",
    "PlayResult",
    "RunningAnalysis",
    "analyse",
    "match",
]


def analyse(board: Board, limit: Limit, *, multipv: int = 1, hash_mb: int = 16, threads: int = 1) -> Analysis:
    """Searches a position with a new engine. With a limit on nodes or depth, the result is always the same.

    >>> import pdn
    >>> board = pdn.Board("W:W27,28:B18,22", variant="international")
    >>> analysis = pdn.engine.analyse(board, pdn.engine.Limit(nodes=1000), multipv=3)
    >>> [str(line.moves[0]) for line in analysis.lines] == sorted({str(line.moves[0]) for line in analysis.lines})
    True
    """
    return Engine(board.variant, hash_mb=hash_mb, threads=threads).analyse(board, limit, multipv=multipv)
