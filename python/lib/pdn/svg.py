"""Board diagrams and charts.

>>> import pdn
>>> pdn.svg.board(pdn.Board()).startswith("<svg ")
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdn._core import Board
from pdn._core import chart as _chart

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pdn._core import _AnyVariant, _ChartOptions, _Source

__all__ = ["Picture", "board", "chart"]


class Picture(str):
    """An SVG document as text, which notebooks display as an image."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def chart(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ChartOptions],
) -> Picture:
    """Draws a chart of records, like ``pdn chart``: ``kind`` is ``"evaluation"`` (of the game with the number ``game``),
    ``"accuracy"``, ``"openings"`` or ``"ratings"``; ``player`` selects the games of one player.

    >>> import pdn
    >>> pdn.chart(b"1. 32-28 {[%eval 0.10]} 19-23 {[%eval 0.12]} *").count('class="curve"')
    1
    >>> pdn.chart(b"1. 32-28 *", kind="ratings")
    Traceback (most recent call last):
    pdn.errors.PdnError: nothing to draw: no game has the ratings of both players and a result
    """
    return Picture(_chart(source, variant=variant, encoding=encoding, jobs=jobs, **options))


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
