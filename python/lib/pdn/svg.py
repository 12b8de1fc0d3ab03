"""Pictures of boards.

>>> import pdn
>>> pdn.svg.board(pdn.Board()).startswith("<svg ")
True
"""

from collections.abc import Sequence

from pdn._core import Board

__all__ = ["board"]


def board(
    board: Board, *, flipped: bool = False, lastmove: bool = True, arrows: Sequence[tuple[int, int]] = ()
) -> str:
    """Returns the board as SVG: from Black's side if ``flipped``, with the last move highlighted if ``lastmove``, and with
    arrows between squares.

    >>> import pdn
    >>> "<line" in pdn.svg.board(pdn.Board(), arrows=[(32, 28)])
    True
    """
    return board.svg(flipped=flipped, lastmove=lastmove, arrows=list(arrows))
