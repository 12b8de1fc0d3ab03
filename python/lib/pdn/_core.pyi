from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final, overload

from typing_extensions import Self, Unpack, disjoint_base

from pdn._tags import Tags

__all__ = [
    "Analysis",
    "BaseEngine",
    "AnnotatedGames",
    "Annotation",
    "Board",
    "CheckReport",
    "Databases",
    "Diagnostic",
    "Engine",
    "Evaluation",
    "Game",
    "GameReader",
    "HeaderReader",
    "HubEngine",
    "Limit",
    "Line",
    "Match",
    "MatchScore",
    "Move",
    "Node",
    "Outcome",
    "PlayResult",
    "Probe",
    "RunningAnalysis",
    "Summary",
    "TableStream",
    "TensorReader",
    "Variant",
    "annotate",
    "chart",
    "check",
    "convert",
    "count_games",
    "event",
    "explain",
    "files_of",
    "fmt",
    "match",
    "openings",
    "players",
    "puzzles",
    "read_games",
    "read_headers",
    "read_tensors",
    "report",
    "restore_analysis",
    "restore_board",
    "restore_game",
    "restore_line",
    "restore_move",
    "restore_node",
    "run_command",
    "search",
    "stats",
    "table_of_games",
    "table_of_records",
    "variants",
    "__version__",
]

__version__: str

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | str: ...

_Path: TypeAlias = str | PathLike[str]
_OneSource: TypeAlias = _Path | bytes | bytearray | memoryview | _Readable
_Source: TypeAlias = _OneSource | Iterable[_OneSource]
_AnyVariant: TypeAlias = "Variant | str"

@final
class Variant:
    """A variant of draughts.

    >>> from pdn import Variant
    >>> russian = Variant("russian")
    >>> russian.game_type, russian.width, russian.squares
    (25, 8, 32)
    >>> Variant("25") == russian == "russian"
    True
    """
    def __new__(cls, name: str) -> Self: ...
    @property
    def name(self) -> str:
        """The name, such as ``"international"``."""
    @property
    def game_type(self) -> int | None:
        """The GameType number, or ``None``."""
    @property
    def width(self) -> int:
        """The number of columns."""
    @property
    def height(self) -> int:
        """The number of rows."""
    @property
    def squares(self) -> int:
        """The number of playable squares."""
    @property
    def starts(self) -> bool:
        """The side that makes the first move."""
    def square_name(self, square: int) -> str:
        """Returns the name of a square, given by its number.

        >>> from pdn import Variant
        >>> Variant("russian").square_name(30), Variant("international").square_name(32)
        ('c1', '32')
        """
    def parse_square(self, name: str) -> int:
        """Returns the number of a square, given by its name. Raises :exc:`ValueError` if the board has none of that name.

        >>> from pdn import Variant
        >>> Variant("russian").parse_square("c1")
        30
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

def variants() -> list[Variant]:
    """Returns all built-in variants.

    >>> from pdn import variants
    >>> [variant.name for variant in variants()][:3]
    ['international', 'english', 'italian']
    """

_MoveParts: TypeAlias = tuple[int, int, list[int], bool]

def restore_move(variant: str, fen: str | None, parts: _MoveParts) -> Move:
    """Returns the move of a variant with these parts, in a position if that is known."""
_Origin: TypeAlias = tuple[str, int, tuple[int, int, int]]
_KingRuns: TypeAlias = list[tuple[int, int] | None]

def restore_board(fen: str, variant: str, king_runs: _KingRuns) -> Board:
    """Returns the board with a position, and the consecutive king moves that led to it."""
def restore_game(text: bytes, variant: str | None, encoding: str, origin: _Origin) -> Game:
    """Returns the game with this text."""
def restore_node(game: Game, number: int) -> Node:
    """Returns the move of a game with a number in its text."""

@final
class Move:
    """A legal move in a position. Squares have the internal numbers of the variant, from 1 at the top left.

    >>> import pdn
    >>> move = pdn.Board().parse_move("32-28")
    >>> move.from_square, move.to_square, move.is_capture, str(move)
    (32, 28, False, '32-28')
    """
    @property
    def from_square(self) -> int:
        """The first square."""
    @property
    def to_square(self) -> int:
        """The last square."""
    @property
    def captured(self) -> list[int]:
        """The squares of the captured pieces, sorted."""
    @property
    def path(self) -> list[int]:
        """The squares that the piece goes through: the first one, those between jumps, and the last one.

        >>> import pdn
        >>> pdn.Board("W:W32:B19,28").parse_move("32x14").path
        [32, 23, 14]
        """
    @property
    def is_capture(self) -> bool:
        """True if the move captures."""
    @property
    def promotes(self) -> bool:
        """True if a man becomes a king."""
    @property
    def variant(self) -> Variant:
        """The variant that the move belongs to."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str | None, _MoveParts]]: ...

@final
class Outcome:
    """How a game ended."""
    @property
    def winner(self) -> bool | None:
        """The winner, or ``None`` for a draw."""
    @property
    def termination(self) -> str:
        """The reason: ``"no-moves"``, or the name of a draw rule such as ``"threefold"``."""
    def result(self) -> str:
        """The result in the style of the variant: ``"2-0"``, ``"1-0"`` …"""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Board:
    """A position and the moves that led to it.

    >>> import pdn
    >>> board = pdn.Board()
    >>> len(board.legal_moves), board.turn == pdn.WHITE
    (9, True)
    >>> board.push("32-28")
    >>> board.push_move("19-23")
    <Move 19-23>
    >>> board.fen()[:5], board.pop()
    ('W:W28', <Move 19-23>)
    >>> pdn.Board("W:Wc3,e3:Bd4", variant="russian").legal_moves
    [<Move c3:e5>, <Move e3:c5>]
    """
    def __new__(cls, fen: str | None = None, *, variant: _AnyVariant | None = None) -> Self: ...
    @property
    def variant(self) -> Variant:
        """The variant."""
    @property
    def turn(self) -> bool:
        """The side to move: ``WHITE`` (true) or ``BLACK`` (false)."""
    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves, each once, ordered by first square, last square and captured pieces."""
    @property
    def move_stack(self) -> list[Move]:
        """The moves played so far."""
    @property
    def key(self) -> int:
        """The key of the position; equal positions of a variant have equal keys."""
    @property
    def position_key(self) -> int:
        """The key of the position in tables, which differs between variants.

        >>> import pdn
        >>> table = pdn.to_arrow(b"1. 32-28 *", "positions", variant="international")
        >>> table.column("position_key")[0].as_py() == pdn.Board().position_key
        True
        """
    @property
    def canonical_key(self) -> int:
        """The key in tables that is the same for the position with the colours swapped and the board rotated."""
    def push(self, move: Move | str) -> None:
        """Plays a move, given as it is or as text. Raises :exc:`IllegalMoveError` if it is illegal; for a text also
        :exc:`InvalidMoveError` if it is no move, and :exc:`AmbiguousMoveError` if it may be several.
        """
    def push_move(self, text: str) -> Move:
        """Reads a move and plays it. Raises what :meth:`push` raises for a text."""
    def pop(self) -> Move:
        """Takes back the last move and returns it. Raises :exc:`IndexError` if there is none."""
    def peek(self) -> Move:
        """Returns the last move. Raises :exc:`IndexError` if there is none."""
    def parse_move(self, text: str) -> Move:
        """Reads a move in any usual notation of records, or as engines write it: with the captured squares after the last one.

        >>> pdn.Board("W:WK40:B19,29").parse_move("40x14x19x29").captured
        [19, 29]
        >>> pdn.Board().parse_move("32-27").to_square
        27
        >>> pdn.Board().parse_move("32-26")
        Traceback (most recent call last):
        pdn.errors.IllegalMoveError: 32-26: the piece on 32 cannot move to 26; did White mean 31-26, 32-27 or 32-28?
        """
    def find_move(self, from_square: int, to_square: int) -> Move:
        """Returns the only move between two squares. Raises :exc:`IllegalMoveError` if there is none, and
        :exc:`AmbiguousMoveError` if there are several.
        """
    def notation(self, move: Move, *, full: bool = False) -> str:
        """Returns the move in standard notation: short unless that is ambiguous, or with its full path if ``full``."""
    def is_legal(self, move: Move) -> bool:
        """Returns true if the move is legal."""
    def can_capture(self) -> bool:
        """Returns true if the side to move can capture."""
    def fen(self) -> str:
        """Returns the FEN. It omits the move history that the draw rules need and, in Frisian draughts and Frysk!, the number of
        consecutive moves of a king (a fourth is not allowed).
        """
    def set_fen(self, fen: str) -> None:
        """Sets the position and clears the move history."""
    def reset(self) -> None:
        """Sets the starting position and clears the move history."""
    def root(self) -> Board:
        """Returns the board before the first move."""
    def copy(self, *, stack: bool = True) -> Board:
        """Returns a copy, without the move history if ``stack`` is false. The counts of consecutive king moves, which a FEN lacks, are
        always copied; the draw rules need the history.
        """
    def ply(self) -> int:
        """The number of moves played."""
    def piece_at(self, square: int) -> str | None:
        """Returns the piece on a square: ``w`` or ``b`` for a man, ``W`` or ``B`` for a king, or ``None``."""
    def piece_map(self) -> dict[int, str]:
        """Returns the pieces, keyed by square."""
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Returns how the game ended, or ``None``. With ``claim_draw``, draws that a player must claim count too.

        >>> pdn.Board("B:W28:B").outcome()
        Outcome(winner=WHITE, termination='no-moves', result='2-0')
        """
    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Returns true if the game is over."""
    def result(self, *, claim_draw: bool = False) -> str:
        """Returns the result, or ``"*"`` if the game is not over."""
    def perft(self, depth: int) -> int:
        """Counts the positions after this number of plies.

        >>> pdn.Board().perft(4)
        4265
        """
    def svg(
        self, *, flipped: bool = False, lastmove: bool = True, arrows: Sequence[tuple[int, int]] = ...
    ) -> str:
        """Returns the board as SVG; see :func:`pdn.svg.board`."""
    def tensor(self, perspective: bool | None = None) -> Any:
        """Returns the pieces as an array of numpy of type ``float32`` and shape ``(4, squares)``: the men and kings of a side, by default
        the one to move, and those of the other. Black sees the board rotated by 180 degrees, so that its men move up too.

        >>> import pdn
        >>> planes = pdn.Board("W:W31,K32:B20", variant="international").tensor()
        >>> planes.shape, [plane.nonzero()[0].tolist() for plane in planes]
        ((4, 50), [[30], [31], [19], []])
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str, list[str], _KingRuns]]: ...

@final
class Diagnostic:
    """A problem or observation in a record."""
    @property
    def file(self) -> str:
        """The file name as given."""
    @property
    def game(self) -> int:
        """The number of the game in the file, from 1; 0 outside any game."""
    @property
    def offset(self) -> int:
        """The offset of the first byte in the decompressed file, from 0."""
    @property
    def length(self) -> int:
        """The number of bytes."""
    @property
    def line(self) -> int:
        """The line, from 1."""
    @property
    def column(self) -> int:
        """The column, from 1, in characters."""
    @property
    def severity(self) -> Literal["error", "warning", "note"]:
        """``"error"``, ``"warning"`` or ``"note"``."""
    @property
    def code(self) -> str:
        """The stable diagnostic code, such as ``"move/illegal"``."""
    @property
    def message(self) -> str:
        """The message."""
    @property
    def help(self) -> str | None:
        """How to fix the problem, or ``None``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Summary:
    """The counts of a check."""
    @property
    def files(self) -> int:
        """The number of files."""
    @property
    def games(self) -> int:
        """The number of games."""
    @property
    def replayed_games(self) -> int:
        """The number of games with at least one move whose main line is legal to its end."""
    @property
    def games_without_errors(self) -> int:
        """The number of games without errors."""
    @property
    def games_not_replayed(self) -> int:
        """The number of games with moves but without a known variant or position."""
    @property
    def plies(self) -> int:
        """The number of legal moves of main lines."""
    @property
    def errors(self) -> int:
        """The number of errors."""
    @property
    def warnings(self) -> int:
        """The number of warnings."""
    @property
    def notes(self) -> int:
        """The number of notes."""

@final
class CheckReport:
    """The diagnostics of records, with a summary."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics, in the order of the text."""
    @property
    def summary(self) -> Summary:
        """The counts."""
    @property
    def ok(self) -> bool:
        """True if there are no errors."""

def explain(code: str) -> str:
    """Returns the meaning of a diagnostic code.

    >>> import pdn
    >>> pdn.explain("tag/date")[:25]
    'A date is not in the form'
    """

@final
class Evaluation:
    """An evaluation from White's point of view: centi-men, or a proven win with its distance in plies.

    >>> import pdn
    >>> pdn.Evaluation(32), pdn.Evaluation(win_in=7, winner=pdn.BLACK)
    (<Evaluation 0.32>, <Evaluation #-7>)
    """
    def __new__(cls, cm: int | None = None, *, win_in: int | None = None, winner: bool | None = None) -> Self: ...
    @property
    def cm(self) -> int | None:
        """The evaluation in centi-men, or ``None`` for a proven win."""
    @property
    def win_in(self) -> int | None:
        """The number of plies to a proven win, or ``None``."""
    @property
    def winner(self) -> bool | None:
        """The side that has a proven win: ``WHITE``, ``BLACK`` or ``None``. With 8900 or -8900 centi-men, the distance is unknown."""
    def pov(self, color: bool, *, win: int = 30_000) -> int:
        """Returns the evaluation in centi-men from the point of view of a side; a win is ``win`` minus its distance in plies."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[int | None, int | None, bool | None]]: ...

@final
class Annotation:
    """The annotation of a move."""
    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the position after the move."""
    @property
    def best_evaluation(self) -> Evaluation:
        """The evaluation of the position before the move."""
    @property
    def judgement(self) -> Literal["inaccuracy", "mistake", "blunder"] | None:
        """``"inaccuracy"``, ``"mistake"``, ``"blunder"`` or ``None``."""
    @property
    def best_line(self) -> list[Move]:
        """The best line instead of the move, if the move is judged."""
    @property
    def lines(self) -> list[Line]:
        """The best lines from the position before the move, best first, if several were requested."""
    @property
    def expectation(self) -> tuple[float, float]:
        """The expected score of the side that moves, from 0 to 1, before and after the move."""
    @property
    def forced(self) -> bool:
        """True if there was no other legal move."""

@final
class Node:
    """A move of a game, legal or not.

    Changes of a node are changes of its game; a refused one raises :exc:`EditError` and leaves the game unchanged.
    """
    @property
    def text(self) -> str:
        """The move as written."""
    @property
    def move(self) -> Move | None:
        """The move, or ``None`` for null moves and illegal moves."""
    @property
    def notation(self) -> str | None:
        """The move in standard notation, or ``None``."""
    @property
    def ply(self) -> int:
        """The number of the move in its line, from 1. A variation starts with the number of the move that it replaces."""
    @property
    def turn(self) -> bool | None:
        """The side that moves."""
    @property
    def is_legal(self) -> bool:
        """True if the move is legal."""
    @property
    def parent(self) -> Node | Game:
        """The move before it, or the game for a first move. The move before a variation is that before the move it replaces."""
    @property
    def comment(self) -> str | None:
        """The comments after the move, without commands such as ``[%clk …]``, or ``None``. Setting it keeps the commands; braces become
        parentheses, and line breaks become spaces.
        """
    @comment.setter
    def comment(self, text: str | None) -> None: ...
    @property
    def nags(self) -> list[int]:
        """The numeric annotation glyphs; ``! ? !! ?? !? ?!`` are 1 to 6."""
    @nags.setter
    def nags(self, nags: Sequence[int]) -> None: ...
    @property
    def clock(self) -> float | None:
        """The time left on the clock of the side that moved, in seconds, or ``None``."""
    @clock.setter
    def clock(self, seconds: float | None) -> None: ...
    @property
    def elapsed(self) -> float | None:
        """The time used for the move, in seconds, or else in the game so far, or ``None``."""
    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the position after the move, from the analysis or else from the comments."""
    @evaluation.setter
    def evaluation(self, evaluation: Evaluation | None) -> None: ...
    @property
    def annotation(self) -> Annotation | None:
        """The annotation of the move by :func:`annotate`, or ``None``; the evaluations of the record are in :attr:`evaluation`."""
    @property
    def variations(self) -> list[list[Node]]:
        """The alternatives to the move."""
    def game(self) -> Game:
        """The game."""
    def next(self) -> Node | None:
        """Returns the next move of its line, or ``None``."""
    def add_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds a move after this one, given as it is or as text, and returns its node: the next one of the line, or else the first one
        of a variation, which is then among the alternatives to the next one. Raises :exc:`IllegalMoveError` with the reason if the
        move is illegal.
        """
    def add_main_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds a move as :meth:`add_variation` does, and makes it the next one of the line."""
    def add_line(
        self, moves: Sequence[Move | str], *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds moves after this one, and returns the node of the last one, which the comment and the glyphs are of."""
    def promote(self) -> None:
        """Moves the variation of the node one up among the alternatives; the first one changes places with the line around it. Has no
        effect in the main line.
        """
    def promote_to_main(self) -> None:
        """Makes the variation of the node the line that it is an alternative to. Has no effect in the main line."""
    def demote(self) -> None:
        """Makes the first alternative to the move the line, and the move with its line the alternative; without alternatives, moves the
        variation of the node one down. Has no effect if there is nothing to change places with.
        """
    def remove(self) -> None:
        """Removes the move with all that follow in its line; with the first move of a variation, the variation. Nodes that were removed
        raise :exc:`EditError`.
        """
    def board(self) -> Board | None:
        """Returns the position after the move with the moves that led to it, or ``None`` if it is unknown."""
    def board_before(self) -> Board | None:
        """Returns the position before the move with the moves that led to it, or ``None`` if it is unknown."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Game, int]]: ...

@final
class Game:
    """A game: tags, moves, variations, positions and diagnostics.

    A game that was read or made can be changed. A refused change raises :exc:`EditError`, and leaves it as it was.

    >>> import pdn
    >>> game, = pdn.read_games(b'[White "A"] [GameType "20"] 1. 32-28 {solid} (1. 31-27) 19-23 *')
    >>> game.tags["White"], game.variant.name, game.plies
    ('A', 'international', 2)
    >>> [node.notation for node in game.main_line]
    ['32-28', '19-23']
    >>> first = game.main_line[0]
    >>> first.comment, first.variations[0][0].notation
    ('solid', '31-27')
    >>> game.end().fen() == game.main_line[-1].board().fen()
    True
    """
    def __new__(cls, tags: Mapping[str, str] | None = None, *, variant: _AnyVariant | None = None) -> Self: ...
    @staticmethod
    def from_board(board: Board) -> Game:
        """Returns a game with the moves that led to a board, and its result if they end the game.

        >>> import pdn
        >>> board = pdn.Board()
        >>> for move in ("32-28", "19-23", "28x19"):
        ...     board.push(move)
        >>> [str(node) for node in pdn.Game.from_board(board).main_line]
        ['32-28', '19-23', '28x19']
        """
    @property
    def file(self) -> str:
        """The file name as given; empty for a new game."""
    @property
    def number(self) -> int:
        """The number of the game in the file, from 1."""
    @property
    def offset(self) -> int:
        """The offset of the game's first byte in the decompressed file, from 0."""
    @property
    def tags(self) -> Tags:
        """The tags in order, as a mapping whose changes are changes of the game. A name that occurs more than once has its first value.

        >>> import pdn
        >>> game = pdn.Game({"White": "Ada"})
        >>> game.tags["Black"] = "Ben"
        >>> del game.tags["Site"]
        >>> print(game)
        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "Ada"]
        [Black "Ben"]
        [Result "*"]
        [GameType "20,W,10,10,N2,0"]
        <BLANKLINE>
        *
        """
    @property
    def variant(self) -> Variant | None:
        """The variant, or ``None`` if it is unknown."""
    @property
    def main_line(self) -> list[Node]:
        """The moves of the main line."""
    @property
    def variations(self) -> list[list[Node]]:
        """The variations of a main line without moves; all other variations belong to a move."""
    @property
    def comment(self) -> str | None:
        """The comments before the first move, without commands such as ``[%clk …]``, or ``None``."""
    @comment.setter
    def comment(self, text: str | None) -> None: ...
    @property
    def plies(self) -> int:
        """The number of legal moves in the main line."""
    @property
    def is_legal(self) -> bool:
        """True if the main line is legal to its end."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics, in text order."""
    @property
    def has_errors(self) -> bool:
        """True if any diagnostic is an error."""
    @property
    def result(self) -> str:
        """The result as written: the Result tag, or else the end of the moves; ``"*"`` if there is none."""
    @result.setter
    def result(self, text: str) -> None: ...
    @property
    def winner(self) -> bool | None:
        """The winner according to the written result: ``True`` for White, ``False`` for Black, ``None`` if drawn or unknown."""
    def board(self) -> Board | None:
        """Returns the board before the first move, or ``None`` if the variant or position is unknown."""
    def end(self) -> Board | None:
        """Returns the last known position of the main line with the moves that led to it, or ``None``."""
    def positions(self) -> list[Board]:
        """Returns the positions of the main line: the start, and the position after each legal move."""
    def next(self) -> Node | None:
        """Returns the first move of the main line, or ``None``."""
    def add_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds a first move, given as it is or as text, and returns its node: the first one of the main line, or else of a variation.

        >>> import pdn
        >>> game = pdn.Game()
        >>> node = game.add_variation("32-28", comment="classical", nags=[1])
        >>> node.add_line(["19-23", "28x19"]).text
        '28x19'
        >>> node.add_variation("18-22").evaluation = pdn.Evaluation(12)
        >>> str(game).splitlines()[-1]
        '1. 32-28! {classical} 1... 19-23 (1... 18-22 {[%eval 0.12]}) 2. 28x19 *'
        """
    def add_main_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds a first move as :meth:`add_variation` does, and makes it the main line."""
    def add_line(
        self, moves: Sequence[Move | str], *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node:
        """Adds moves from the start, as the main line or as a variation, and returns the node of the last one, which the comment and
        the glyphs are of.
        """
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Returns how the game ended on the board, or ``None`` if it did not. With ``claim_draw``, draws that a player must claim
        count too.
        """
    def accuracy(self, color: bool) -> float | None:
        """Returns the accuracy of a side, from 0 to 100, if its moves have evaluations: those of :func:`annotate`, or else those of the record."""
    def to_json(self) -> str:
        """Returns the game as one line of JSON, as ``pdn convert --to jsonl`` writes it."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the game as a dictionary, with the field names of ``pdn convert --to jsonl``."""
    def to_pdn(self) -> str:
        """Returns the game as PDN, with its annotations if it has been annotated."""
    def source(self) -> bytes:
        r"""Returns the bytes of the game as they were read, with only the changes that were made. A game of another format is written
        in PDN, and UTF-16 becomes UTF-8. Annotations of :func:`annotate` are not in it.

        >>> import pdn
        >>> game, = pdn.read_games(b'[White "A"]\r\n\r\n1.32-28  19-23 *')
        >>> game.main_line[1].comment = "natural"
        >>> game.source()
        b'[White "A"]\r\n\r\n1.32-28  19-23 {natural} *'
        """
    def fmt(self, *, fix: bool = False) -> str:
        """Returns the game in canonical form. With ``fix``, anything that can mean only one thing is repaired."""
    def _repr_svg_(self) -> str | None: ...
    def _tag(self, name: str) -> str | None: ...
    def _tag_names(self) -> list[str]: ...
    def _set_tags(self, tags: Sequence[tuple[str, str]]) -> None: ...
    def _remove_tags(self, names: Sequence[str]) -> None: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes, str | None, str, _Origin]]: ...

@final
class GameReader(Iterator[Game]):
    """An iterator over games, which threads may share; see :func:`pdn.read_games`."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics outside any game that have been found so far."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

@final
class HeaderReader(Iterator[dict[str, str]]):
    """An iterator over the tags of games; see :func:`pdn.read_headers`."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> dict[str, str]: ...

def read_games(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    strict: bool = False,
    encoding: str | None = None,
    jobs: int | None = None,
    first: int = 1,
    last: int | None = None,
) -> GameReader:
    """Reads games from the path of a file or folder, bytes, an open file, or several of these.

    Games are read ahead in chunks, on ``jobs`` threads (default: one per processor). Memory does not grow with the number of
    games. All encodings and compression formats of the command line are recognised. A file that cannot be read raises
    :exc:`OSError`; iteration can then continue with the next file. With ``first`` and ``last``, only the games from ``first`` to
    ``last`` in each file are returned. Other games are skipped quickly, and a single file is read no further than needed.

    >>> import pdn
    >>> for game in pdn.read_games(b"1. 32-28 19-23 2. 28x19 14x23 *"):
    ...     print(game.variant, game.plies, game.end().turn == pdn.WHITE)
    international 4 True
    """
class _SearchOptions(TypedDict, total=False):
    # Generated: pdn search
    where: str
    """Find games that match an expression."""
    fen: str
    """Find games with this position; `?` as the side to move means either side."""
    pattern: str
    """Find games with a position whose squares hold, or do not hold, certain pieces, such as `28=w 24=. *=!B`."""
    material: str
    """Find games with a position of this material, such as `kings=0 white<=5`."""
    sequence: str
    """Find games with these consecutive moves."""
    shot: str
    """Find games with this combination, such as `philippe`, `royal:missed` or `any`; `pdn shots --names` lists them."""
    mirror: bool
    """Also find positions and moves with the colours swapped and the board rotated."""
    variations: bool
    """If false: look for positions and moves in main lines only. Default: true."""
    invert: bool
    """Find the games that do not match."""
    # End

def search(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_SearchOptions],
) -> GameReader:
    """Finds games by tags, positions and moves, like ``pdn search``; they are read as :func:`read_games` reads them.

    >>> import pdn
    >>> found = pdn.search("samples/games", where="year >= 1990", sequence="32-28 19-23")
    >>> all("1990" <= game.tags["Date"][:4] for game in found)
    True
    """
@final
class TensorReader(Iterator[dict[str, Any]]):
    """An iterator over batches of positions; see :func:`pdn.read_tensors`."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> dict[str, Any]: ...

def read_tensors(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    batch: int = ...,
    encoding: str | None = None,
    jobs: int | None = None,
) -> TensorReader:
    """Reads the positions of games as arrays of numpy, ``batch`` positions at a time: those before the moves of the main lines of all games
    of a variant.

    Each batch is a dictionary of three arrays. ``planes`` are as :meth:`Board.tensor` returns them, of type ``float32`` and shape
    ``(n, 4, squares)``; ``moves`` are the first and the last square of the move that was played, from 0 and as the side to move sees
    them, of type ``uint8``; ``points`` are what the side to move got in the game: 1, 0.5 or 0, or NaN if the result is unknown.

    >>> import pdn
    >>> for batch in pdn.read_tensors("samples/games/international.pdn", batch=100):
    ...     print(batch["planes"].shape, batch["moves"].shape, batch["points"].shape)
    ...     break
    (100, 4, 50) (100, 2) (100,)
    """
def count_games(source: _Source, *, jobs: int | None = None) -> int:
    """Returns the number of games in files; ``source`` and ``jobs`` are as in :func:`read_games`."""
def files_of(path: _Path) -> list[tuple[str, Path]]:
    """Returns the label and the path of each file that a file or folder path refers to. Both are the same, except for members of
    archives: their path is that of the archive.
    """
def read_headers(source: _Source, *, jobs: int | None = None) -> HeaderReader:
    """Reads only the tags of games, as dictionaries.

    >>> import pdn
    >>> list(pdn.read_headers(b'[Event "Final"] 1. 32-28 *'))
    [{'Event': 'Final'}]
    """
def run_command(arguments: Sequence[str]) -> int:
    """Runs the command given by arguments, the first of which is the name of the program, and returns its exit status."""
class _CheckOptions(TypedDict, total=False):
    # Generated: pdn check
    strict: bool
    """Also check the writing rules, and report warnings as errors."""
    select: Sequence[str]
    """Report only these codes."""
    ignore: Sequence[str]
    """Do not report these codes."""
    deny: Sequence[str]
    """Report these codes as errors."""
    require_tags: Sequence[str]
    """Report games that lack any of these tags (tag/missing)."""
    severity: Literal["error", "warning", "note"]
    """Lowest severity to show; the summary counts all diagnostics. Default: note; warning with --quiet."""
    lang: Literal["en", "nl", "fr", "it", "pt", "ru"]
    """Language of the messages; codes are the same in every language. Default: en."""
    # End

def check(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_CheckOptions],
) -> CheckReport:
    """Checks records: syntax, tags, legality, positions, results, draws.

    >>> import pdn
    >>> report = pdn.check(b'[GameType "20"] 1. 32-28 19-23 2. 31-22 *')
    >>> report.ok, str(report.diagnostics[0])[:34]
    (False, '<bytes>:1:35: error[move/illegal]:')
    >>> report.summary
    <Summary games=1 plies=2 errors=1 warnings=0 notes=0>

    ``options`` are those of ``pdn check`` that choose diagnostics: ``strict``, ``select``, ``ignore``, ``deny``, ``severity`` and
    ``require_tags``; and ``lang``, the language of the messages.

    >>> pdn.check(b"1. 32-28 *", ignore=["tag"], severity="error").diagnostics
    []
    """

class _ChartOptions(TypedDict, total=False):
    # Generated: pdn chart
    kind: Literal["evaluation", "accuracy", "openings", "ratings"]
    """What to show. Default: evaluation."""
    game: int
    """Show the evaluations of the game with this number, counted over all files. Default: 1."""
    player: str
    """Show the games of this player: a name or part of a name."""
    top: int
    """Show at most N openings. Default: 12."""
    lang: Literal["en", "nl", "fr", "it", "pt", "ru"]
    """Language of the chart. Default: en."""
    # End
    names: str
    """Names of openings: the text of a file of names."""

def chart(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ChartOptions],
) -> str:
    """Draws a chart as SVG, like ``pdn chart``."""

class _OpeningsOptions(TypedDict, total=False):
    # Generated: pdn openings
    fen: str
    """Start from this position, wherever games reach it."""
    plies: int
    """Depth of the tree. Default: 2."""
    min_games: int
    """Leave out moves played in fewer games. Default: 1."""
    # End
    names: str
    """Names of openings: the text of a file of names."""

def openings(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_OpeningsOptions],
) -> dict[str, Any]:
    """Returns the tree of the moves played from a position, and how they scored, as ``pdn openings --format json`` writes it.

    >>> import pdn
    >>> tree = pdn.openings("samples/games/italian.pdn", plies=2)
    >>> tree["games"] >= sum(move["games"] for move in tree["moves"]) > 0
    True
    """

class _StatsOptions(TypedDict, total=False):
    # Generated: pdn stats
    top: int
    """Show at most N groups of each kind. Default: 10 in tables, all in JSON."""
    shots: bool
    """Also count the named shots that were played, by name, player, opening and year."""
    # End
    names: str
    """Names of openings: the text of a file of names."""

def stats(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_StatsOptions],
) -> dict[str, Any]:
    """Returns the statistics of a collection, as ``pdn stats --format json`` writes them.

    >>> import pdn
    >>> stats = pdn.stats("samples/games/italian.pdn", top=3)
    >>> stats["games"], len(stats["players"])
    (8, 3)
    """

class _EventOptions(TypedDict, total=False):
    # Generated: pdn event
    regulations: str
    """Rank as the regulations of a federation say (`fmjd`, `kndb`, `fide`, `ffjd`)."""
    points: Sequence[int]
    """Points for a win, a draw and a loss, such as 3-1-0, instead of those of the regulations."""
    tie_breaks: Sequence[Literal["wins", "mutual", "sonneborn-berger", "solkoff", "solkoff-cut-1", "solkoff-cut-2", "solkoff-median", "progressive", "blacks", "performance", "rating", "classification"]]
    """Tie-breaks between players with equal points, in this order, instead of those of the regulations."""
    system: Literal["round-robin", "swiss"]
    """Rank as in this kind of tournament; without it, a tournament in which three quarters of the pairs met is a round robin."""
    event: str
    """Only the event with this name."""
    one: bool
    """Treat all games as one tournament, whatever their events."""
    lang: Literal["en", "nl", "fr", "it", "pt", "ru"]
    """Language of the diagnostics and of pages. Default: en."""
    # End
    aliases: str
    """The text of a file of aliases."""

def event(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_EventOptions],
) -> list[dict[str, Any]]:
    """Returns the tournaments of a collection, each as ``pdn event --format json`` writes it: standings, cross table and diagnostics.

    ``aliases`` is the text of a file of aliases.

    >>> import pdn
    >>> event, = pdn.event("samples/games/italian.pdn", one=True)
    >>> event["players"][0]["rank"], event["players"][0]["points"] > 0
    (1, True)
    """

def players(
    source: _Source,
    *,
    events: bool = False,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
) -> list[dict[str, Any]]:
    """Returns spellings of names that may be one player, or one event with ``events``, as ``pdn players --format json`` writes them.

    >>> import pdn
    >>> found, = pdn.players("samples/diagnostics/event-similar-names.pdn")
    >>> sorted(found)[:3]
    ['alias', 'event', 'events']
    """

class _PuzzlesOptions(TypedDict, total=False):
    # Generated: pdn puzzles
    nodes: int
    """Nodes for each search. Default: 200000."""
    proof_nodes: int
    """Maximum number of positions in the proof of one move. Default: 50000."""
    proven: bool
    """Write only puzzles in which all other moves are proven to fail."""
    played: bool
    """Write only positions that occurred in a game, not those after a move that was not played."""
    from_elo: int
    """Skip games unless both players are known to have at least this rating."""
    # End

def puzzles(
    source: _Source,
    *,
    to: Literal["pdn", "jsonl"] = "pdn",
    order: Literal["difficulty", "theme", "game"] = "difficulty",
    theme: str | None = None,
    hash_mb: int = 16,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_PuzzlesOptions],
) -> str:
    r"""Makes puzzles from the shots and mistakes in games, as ``pdn puzzles`` does: as records with solutions, or as JSON, an object a
    line, with ``to="jsonl"``.

    >>> import pdn
    >>> record = b'[GameType "20"][SetUp "1"][FEN "W:W27,28,32,37,38:B8,12,13,18,23"]\n1. 28x19 *'
    >>> pdn.puzzles(record, nodes=500)
    ''
    """

class _ReportOptions(TypedDict, total=False):
    # Generated: pdn report
    lang: Literal["en", "nl", "fr", "it", "pt", "ru"]
    """Language of the page. Default: en."""
    shots: bool
    """If false: show no sentences about shots that `pdn annotate --shots` found. Default: true."""
    # End

def report(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ReportOptions],
) -> str:
    """Returns games on a board as one HTML page, as ``pdn report`` does.

    >>> import pdn
    >>> pdn.report("samples/games/italian.pdn", lang="it")[:15].lower()
    '<!doctype html>'
    """

_Format: TypeAlias = Literal["csv", "json", "jsonl", "pdn", "fen", "lidraughts"]
_Table: TypeAlias = Literal["games", "moves", "positions", "players", "diagnostics"]

class _ConvertOptions(TypedDict, total=False):
    # Generated: pdn convert
    table: Literal["games", "moves", "positions", "players", "diagnostics"]
    """For CSV, XLSX and Parquet: one row per game, move, position, diagnostic or (for annotated records) player. Default: games."""
    escape_formulas: bool
    """For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`."""
    excel: Literal["auto", "comma", "semicolon", "tab"]
    """For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates."""
    # End

@overload
def convert(
    source: _Source,
    *,
    to: _Format,
    out: None = None,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ConvertOptions],
) -> str:
    """Converts records to ``"csv"``, ``"xlsx"``, ``"json"``, ``"jsonl"``, ``"pdn"``, ``"fen"`` or ``"lidraughts"``, as ``pdn convert`` does.

    Returns the text, or writes it to the file ``out`` if one is given. ``out`` replaces an input only if it holds its records in the format of
    that file: PDN, or JSON as this package wrote it; otherwise :exc:`ArgumentError` is raised. A spreadsheet, ``"xlsx"``, needs ``out``. ``options``
    are for tables: ``table``, for CSV and XLSX, is ``"games"``, ``"moves"``, ``"positions"``, ``"players"`` or ``"diagnostics"``, and
    ``escape_formulas`` and ``excel`` are for CSV.

    >>> import pdn
    >>> pdn.convert(b"1. 32-28 19-23 *", to="fen")[:12]
    'W:W28,31,33,'
    """
@overload
def convert(
    source: _Source,
    *,
    to: _Format | Literal["xlsx"],
    out: _Path,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ConvertOptions],
) -> None: ...

class _FmtOptions(TypedDict, total=False):
    # Generated: pdn fmt
    width: int
    """Maximum line width; a longer token gets a line to itself. Default: 80."""
    notation: Literal["short", "full", "written"]
    """How to write moves. Default: short."""
    result_style: Literal["2-0", "1-0"]
    """How to write results. Default: the usual style of the variant."""
    game_type: str
    """In games of the same variant, name squares as this GameType does, and write it as the tag; games with illegal moves stay unchanged."""
    comments: bool
    """If false: remove all comments. Default: true."""
    variations: bool
    """If false: remove all variations. Default: true."""
    strip: Sequence[Literal["evals", "clocks", "marks", "commands", "comments", "variations"]]
    """Remove these parts of games, and the comments that they leave empty."""
    results: bool
    """End games with their results, as many programs expect."""
    strict: bool
    """Write only what the strict grammar prefers: no end-of-line comments, and no comments before the tags or after a game."""
    # End

@overload
def fmt(
    source: _Source,
    *,
    fix: bool = False,
    out: None = None,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_FmtOptions],
) -> str:
    """Writes records in canonical form, as ``pdn fmt`` does. With ``fix``, anything with exactly one reading is repaired.

    Returns the text, or writes it to the file ``out`` if one is given; an input is replaced only if it is PDN and not compressed. ``options`` are those of ``pdn fmt`` for the form of the text:
    ``width``, ``notation``, ``result_style``, ``game_type``, ``comments``, ``variations``, ``strip``, ``results`` and ``strict``. Bytes that
    cannot be read are kept: encode the text with ``errors="surrogateescape"``.

    >>> import pdn
    >>> pdn.fmt(b'[GameType "20"] 1.32-28 19-23 2.28x19 14x23 *').splitlines()[-1]
    '1. 32-28 19-23 2. 28x19 14x23 *'
    """
@overload
def fmt(
    source: _Source,
    *,
    fix: bool = False,
    out: _Path,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_FmtOptions],
) -> None: ...

@final
class TableStream:
    """The rows of a table, which any library that supports Arrow's C stream interface can consume once."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def _error(self) -> BaseException | None: ...

def table_of_records(
    source: _Source,
    table: str,
    *,
    variant: _AnyVariant | None = None,
    strict: bool = False,
    encoding: str | None = None,
    jobs: int | None = None,
) -> TableStream:
    """Returns the rows of a table of records; see :mod:`pdn.tables`."""
def table_of_games(games: Iterable[Game], table: str) -> TableStream:
    """Returns the rows of a table of games; see :mod:`pdn.tables`."""
@final
class AnnotatedGames(Iterator[Game]):
    """An iterator over annotated games, in their original order; see :func:`pdn.annotate`."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

class _AnnotateOptions(TypedDict, total=False):
    # Generated: pdn annotate
    variations: bool
    """Annotate the moves of variations too, except for best lines added by an earlier run."""
    words: bool
    """Explain marked moves and shots in words, as comments after the moves."""
    lang: Literal["en", "nl", "fr", "it", "pt", "ru"]
    """Language of the words and of the summary. Default: en."""
    shots: bool
    """Find the shots that were played, missed, allowed or prevented [always with --words]."""
    plain: bool
    """Write no commands: marks as signs such as `??`, best lines and words as usual, and evaluations only in words."""
    clean: bool
    """Remove what earlier runs added, and search nothing."""
    keep_evals: bool
    """Keep the evaluations in the records; other moves get new ones."""
    player: str
    """Annotate only the moves of players whose name contains NAME; all other moves stay unchanged."""
    side: Literal["W", "B"]
    """Annotate only the moves of this side."""
    from_ply: int
    """First ply to annotate, counted from 1. Default: 1."""
    to_ply: int
    """Last ply to annotate."""
    scale: int
    """Evaluation, in centi-men, at which about 85 % of the points are expected, in all phases. Default: depends on variant and phase."""
    thresholds: Sequence[float]
    """Smallest losses for an inaccuracy, a mistake and a blunder, in points; to be marked, a move must lose up to 0.05 more. Default: 0.1,0.15,0.25."""
    # End

def annotate(
    games: Iterable[Game],
    limit: Limit,
    *,
    jobs: int | None = None,
    engine: str | Sequence[str] | None = None,
    timeout: float = 10.0,
    hash_mb: int = 16,
    weights: str | None = None,
    egdb: _Path | None = None,
    multipv: int = ...,
    **options: Unpack[_AnnotateOptions],
) -> AnnotatedGames:
    """Adds engine evaluations and judgements to games, in order, on ``jobs`` threads (default: one per processor).

    ``games`` is an iterable of :class:`Game`, such as :func:`read_games` returns. Options and results are those of
    ``pdn annotate``: with limits on depth or nodes, the results are the same on every machine. With ``multipv=N``, each move has
    the N best lines from the position before it; their search gets N times the limit. The other ``options`` are those of
    ``pdn annotate`` that choose moves and what is added to them, such as ``variations``, ``keep_evals``, ``player`` and ``words``.
    With ``plain``, :meth:`Game.to_pdn` writes no commands; with ``clean``, what earlier runs added is removed and nothing searched.

    >>> import pdn
    >>> games = pdn.read_games("samples/games/italian.pdn")
    >>> game = next(pdn.annotate(games, pdn.engine.Limit(nodes=200)))
    >>> len([node for node in game.main_line if node.evaluation is not None]) == game.plies
    True
    >>> games = pdn.read_games(b"1. 32-28 (1. 31-27) 19-23 *")
    >>> game = next(pdn.annotate(games, pdn.engine.Limit(nodes=200), multipv=3, variations=True))
    >>> len(game.main_line[0].annotation.lines), game.main_line[0].variations[0][0].evaluation is not None
    (3, True)
    """

@final
class Limit:
    """Limits on a search, which ends as soon as one of them is reached; or clocks, from which the engine allots itself time.

    With clocks, ``white_inc`` and ``black_inc`` are added before each move, and after ``remaining_moves`` moves there is more time.

    >>> from pdn.engine import Limit
    >>> Limit(nodes=100_000)
    Limit(nodes=100000)
    >>> Limit(white_clock=300, black_clock=280.5, white_inc=2, black_inc=2)
    Limit(white_clock=300, black_clock=280.5, white_inc=2, black_inc=2)
    """
    def __new__(
        cls,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        white_clock: float | None = None,
        black_clock: float | None = None,
        white_inc: float | None = None,
        black_inc: float | None = None,
        remaining_moves: int | None = None,
    ) -> Self: ...
    @property
    def nodes(self) -> int | None:
        """The maximum number of nodes, or ``None``."""
    @property
    def depth(self) -> int | None:
        """The maximum depth in plies, or ``None``."""
    @property
    def time(self) -> float | None:
        """The maximum time in seconds, or ``None``."""
    @property
    def white_clock(self) -> float | None:
        """The seconds that White has left, or ``None``."""
    @property
    def black_clock(self) -> float | None:
        """The seconds that Black has left, or ``None``."""
    @property
    def white_inc(self) -> float | None:
        """The seconds that White gets before each move, or ``None``."""
    @property
    def black_inc(self) -> float | None:
        """The seconds that Black gets before each move, or ``None``."""
    @property
    def remaining_moves(self) -> int | None:
        """The number of moves until more time is added, or ``None`` if the time is for the rest of the game."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(
        self,
    ) -> tuple[Any, tuple[int | None, int | None, float | None, list[float | None], int | None]]: ...

@final
class Line:
    """A line of an analysis."""
    @property
    def evaluation(self) -> Evaluation:
        """The evaluation."""
    @property
    def moves(self) -> list[Move]:
        """The moves, with best play by both sides."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Evaluation, list[Move]]]: ...

def restore_line(evaluation: Evaluation, moves: Sequence[Move]) -> Line:
    """Returns the line with these parts."""
def restore_analysis(lines: Sequence[Line], depth: int, nodes: int) -> Analysis:
    """Returns the analysis with these parts."""
@final
class Analysis:
    """The result of a search."""
    @property
    def lines(self) -> list[Line]:
        """The lines, best first."""
    @property
    def depth(self) -> int:
        """The depth of the search in plies."""
    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
    @property
    def best_move(self) -> Move | None:
        """The best move, or ``None`` if there is no legal move."""
    @property
    def pv(self) -> list[Move]:
        """The best line."""
    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the best line, or ``None`` if there is none."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[list[Line], int, int]]: ...

@final
class PlayResult:
    """A move of an engine."""
    @property
    def move(self) -> Move:
        """The move."""
    @property
    def ponder(self) -> Move | None:
        """The expected reply, or ``None``."""
    @property
    def info(self) -> Analysis:
        """The analysis from which the move follows; without lines if the engine gave no score."""

@final
class RunningAnalysis(Iterator[Analysis]):
    """An analysis in the background; see :meth:`Engine.analysis`.

    Its iterator waits for each iteration of the engine. A ``with`` statement stops it at its end.
    """
    def stop(self) -> None:
        """Stops the search, without waiting for its end."""
    def wait(self) -> Analysis:
        """Waits for the end, and returns the result."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Analysis: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@disjoint_base
class BaseEngine:
    """The built-in engine or an external one: what both can do."""
    @property
    def variant(self) -> Variant:
        """The variant."""
    def new_game(self) -> None:
        """Begins a new game: results of earlier searches are forgotten. It waits for the end of a search that is running; an analysis
        without a limit must be stopped first.
        """
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Searches a position. Earlier positions of the board count towards draws by repetition. Ctrl-C and :meth:`stop` end the search.

        ``root_moves`` are the moves to choose from. ``info`` is called with the :class:`Analysis` of each iteration. An engine makes one
        search after another: a search waits for the end of those before it, and is refused with an :exc:`EngineError` while
        an analysis without a limit is not stopped.

        >>> import pdn
        >>> from pdn.engine import Engine, Limit
        >>> engine, depths = Engine(), []
        >>> found = engine.analyse(pdn.Board(), Limit(depth=3), root_moves=["31-26"], info=lambda info: depths.append(info.depth))
        >>> str(found.best_move), depths
        ('31-26', [1, 2, 3])
        """
    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
    ) -> RunningAnalysis:
        """Begins the analysis of a position in the background, and returns an iterator over its iterations. Without a limit, it ends when
        it is stopped, and no other search of the engine can begin before. Searches wait for each other as in :meth:`analyse`.

        >>> import pdn
        >>> from pdn.engine import Engine
        >>> with Engine().analysis(pdn.Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth == 4:
        ...             analysis.stop()
        >>> analysis.wait().best_move in pdn.Board().legal_moves
        True
        """
    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> PlayResult:
        """Chooses a move, for which a game clock may be the limit. Searches wait for each other as in :meth:`analyse`.

        >>> import pdn
        >>> from pdn.engine import Engine, Limit
        >>> board, engine = pdn.Board(), Engine()
        >>> for _ in range(4):
        ...     board.push(engine.play(board, Limit(nodes=200)).move)
        >>> board.ply()
        4
        """
    def stop(self) -> None:
        """Stops all searches of this engine, which return what they have found. Another thread can call it."""

@final
class Engine(BaseEngine):
    """The built-in engine, with the results of its earlier searches.

    >>> import pdn
    >>> from pdn.engine import Engine, Limit
    >>> engine = Engine("russian")
    >>> analysis = engine.analyse(pdn.Board(variant="russian"), Limit(depth=5), multipv=2)
    >>> analysis.depth, len(analysis.lines), analysis.best_move in pdn.Board(variant="russian").legal_moves
    (5, 2, True)
    """
    def __new__(
        cls,
        variant: _AnyVariant | None = None,
        *,
        hash_mb: int = 64,
        threads: int = 1,
        weights: str | None = None,
        egdb: _Path | None = None,
    ) -> Self: ...

@final
class HubEngine(BaseEngine):
    """An external engine that speaks Hub, version 1 or 2. ``parameters`` are set before it is used.

    It searches only positions that have a legal move. The protocol asks for one line from all moves: several lines, or those of
    ``root_moves``, take a search within the limit for each of the moves.
    """
    def __new__(
        cls,
        command: str | Sequence[str],
        *,
        variant: _AnyVariant | None = None,
        timeout: float = 10.0,
        parameters: Mapping[str, str | int | float | bool] | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """The name and version reported by the engine, or else its command line."""
    def close(self) -> None:
        """Ends the program, and any search."""
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class Match(Iterator[Game]):
    """The games of a match, in order; see :func:`match`."""
    @property
    def score(self) -> MatchScore:
        """The score of the games so far."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

@final
class MatchScore:
    """The score of a match, from the first player's point of view."""
    @property
    def wins(self) -> int:
        """The number of games won."""
    @property
    def draws(self) -> int:
        """The number of drawn games."""
    @property
    def losses(self) -> int:
        """The number of games lost."""
    @property
    def elo(self) -> float | None:
        """The difference in strength in Elo points, or ``None`` if one player has all points."""
    @property
    def elo_error(self) -> float | None:
        """Half the width of the 95 % confidence interval of the difference, or ``None`` if the games do not show it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

class _MatchOptions(TypedDict, total=False):
    # Generated: pdn match
    games: int
    """Number of games of each match; if there are more openings than needed, evenly spaced ones are used. Default: each opening twice."""
    openings: str
    """File of openings: a FEN per line, or PDN with the moves of an opening as a game. Default: all fair positions after two plies."""
    random_plies: int
    """Start with this many random plies."""
    even: int
    """Use only random openings that a search of 20,000 nodes scores within CM centi-men of even."""
    seed: int
    """Seed for the random plies. Default: 1."""
    time: float
    """Seconds for each move."""
    clock: str
    """Clock of each player: seconds for the game and, after a plus sign, for each move, such as 60+0.5."""
    nodes: int
    """Nodes for each move. Default: 10000 unless another limit is given."""
    depth: int
    """Search depth for each move, in plies."""
    agree: int
    """End a game when the scores of both players have agreed for eight plies that one of them is ahead by at least CM centi-men."""
    max_plies: int
    """Maximum length of a game in plies; longer games are drawn. Default: 400."""
    adjudicate: bool
    """Decide games by the endgame databases as soon as they have the position."""
    time_margin: float
    """Seconds by which a move may exceed --time before the player loses. Default: 0.2."""
    engine_timeout: float
    """Seconds an engine may take to start, and to answer beyond its time limit. Default: 60."""
    # End

def match(
    first: str,
    second: str,
    *,
    variant: _AnyVariant | None = None,
    jobs: int | None = None,
    **options: Unpack[_MatchOptions],
) -> Match:
    """Plays a match between two engines, ``jobs`` games at a time (default: one per processor), and returns an iterator over its games.

    A player is written as for ``pdn match``: ``builtin`` or ``builtin:nodes=5000,threads=2``, the command line of an engine that
    speaks Hub, also with parameters as ``hub:COMMAND{threads=2}``, or ``dxp:HOST:PORT``. The options are those of the command.

    >>> from pdn import engine
    >>> match = engine.match("builtin:nodes=200", "builtin:nodes=20", games=4, max_plies=60)
    >>> for game in match:
    ...     assert game.tags["White"] in ("builtin:nodes=200", "builtin:nodes=20")
    >>> match.score.wins + match.score.draws + match.score.losses
    4
    """

@final
class Databases:
    """The built-in endgame databases and, optionally, those in a folder.

    >>> import pdn
    >>> probe = pdn.egdb.Databases().probe(pdn.Board("W:WKc1,Ke1,Ka1:BKh8", variant="russian"))
    >>> probe.value
    'win'
    """
    def __new__(cls, folder: _Path | None = None) -> Self: ...
    def probe(self, board: Board) -> Probe | None:
        """Looks up a position; returns ``None`` if no table has it."""
    def probe_moves(self, board: Board) -> list[tuple[Move, Probe | None]]:
        """Looks up the legal moves. Each comes with the value for the side to move, or ``None`` if no table has the position after
        it. Plies are counted from the position before the move.
        """

@final
class Probe:
    """The value of a position for the side to move."""
    @property
    def value(self) -> Literal["win", "draw", "loss"]:
        """``"win"``, ``"draw"`` or ``"loss"``."""
    @property
    def plies(self) -> int | None:
        """The distance to the end in plies, or ``None`` if it is unknown."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
