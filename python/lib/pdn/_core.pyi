from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final, overload

from typing_extensions import Self, Unpack

from pdn._tags import Tags

__all__ = [
    "Analysis",
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
    def __new__(cls, name: str) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def game_type(self) -> int | None: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def squares(self) -> int: ...
    @property
    def starts(self) -> bool: ...
    def square_name(self, square: int) -> str: ...
    def parse_square(self, name: str) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

def variants() -> list[Variant]: ...

_MoveParts: TypeAlias = tuple[int, int, list[int], bool]

def restore_move(variant: str, fen: str | None, parts: _MoveParts) -> Move: ...
def restore_game(text: bytes, variant: str | None, encoding: str, place: tuple[str, int, int]) -> Game: ...
def restore_node(game: Game, number: int) -> Node: ...

@final
class Move:
    @property
    def from_square(self) -> int: ...
    @property
    def to_square(self) -> int: ...
    @property
    def captured(self) -> list[int]: ...
    @property
    def path(self) -> list[int]: ...
    @property
    def is_capture(self) -> bool: ...
    @property
    def promotes(self) -> bool: ...
    @property
    def variant(self) -> Variant: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str | None, _MoveParts]]: ...

@final
class Outcome:
    @property
    def winner(self) -> bool | None: ...
    @property
    def termination(self) -> str: ...
    def result(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Board:
    def __new__(cls, fen: str | None = None, *, variant: _AnyVariant | None = None) -> Self: ...
    @property
    def variant(self) -> Variant: ...
    @property
    def turn(self) -> bool: ...
    @property
    def legal_moves(self) -> list[Move]: ...
    @property
    def move_stack(self) -> list[Move]: ...
    @property
    def key(self) -> int: ...
    @property
    def position_key(self) -> int: ...
    @property
    def canonical_key(self) -> int: ...
    def push(self, move: Move | str) -> None: ...
    def push_move(self, text: str) -> Move: ...
    def pop(self) -> Move: ...
    def peek(self) -> Move: ...
    def parse_move(self, text: str) -> Move: ...
    def find_move(self, from_square: int, to_square: int) -> Move: ...
    def notation(self, move: Move, *, full: bool = False) -> str: ...
    def is_legal(self, move: Move) -> bool: ...
    def can_capture(self) -> bool: ...
    def fen(self) -> str: ...
    def set_fen(self, fen: str) -> None: ...
    def reset(self) -> None: ...
    def root(self) -> Board: ...
    def copy(self, *, stack: bool = True) -> Board: ...
    def ply(self) -> int: ...
    def piece_at(self, square: int) -> str | None: ...
    def piece_map(self) -> dict[int, str]: ...
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None: ...
    def is_game_over(self, *, claim_draw: bool = False) -> bool: ...
    def result(self, *, claim_draw: bool = False) -> str: ...
    def perft(self, depth: int) -> int: ...
    def svg(
        self, *, flipped: bool = False, lastmove: bool = True, arrows: Sequence[tuple[int, int]] = ...
    ) -> str: ...
    def tensor(self, perspective: bool | None = None) -> Any: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str, list[str]]]: ...

@final
class Diagnostic:
    @property
    def file(self) -> str: ...
    @property
    def game(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def severity(self) -> Literal["error", "warning", "note"]: ...
    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Summary:
    @property
    def files(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def replayed_games(self) -> int: ...
    @property
    def games_without_errors(self) -> int: ...
    @property
    def games_not_replayed(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def warnings(self) -> int: ...
    @property
    def notes(self) -> int: ...

@final
class CheckReport:
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def ok(self) -> bool: ...

def explain(code: str) -> str: ...

@final
class Evaluation:
    def __new__(cls, cm: int | None = None, *, win_in: int | None = None, winner: bool | None = None) -> Self: ...
    @property
    def cm(self) -> int | None: ...
    @property
    def win_in(self) -> int | None: ...
    @property
    def winner(self) -> bool | None: ...
    def pov(self, color: bool, *, win: int = 30_000) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[int | None, int | None, bool | None]]: ...

@final
class Annotation:
    @property
    def evaluation(self) -> Evaluation: ...
    @property
    def best_evaluation(self) -> Evaluation: ...
    @property
    def judgement(self) -> Literal["inaccuracy", "mistake", "blunder"] | None: ...
    @property
    def best_line(self) -> list[Move]: ...
    @property
    def lines(self) -> list[Line]: ...
    @property
    def expectation(self) -> tuple[float, float]: ...
    @property
    def forced(self) -> bool: ...

@final
class Node:
    @property
    def text(self) -> str: ...
    @property
    def move(self) -> Move | None: ...
    @property
    def notation(self) -> str | None: ...
    @property
    def ply(self) -> int: ...
    @property
    def turn(self) -> bool | None: ...
    @property
    def is_legal(self) -> bool: ...
    @property
    def parent(self) -> Node | Game: ...
    @property
    def comment(self) -> str | None: ...
    @comment.setter
    def comment(self, text: str | None) -> None: ...
    @property
    def nags(self) -> list[int]: ...
    @nags.setter
    def nags(self, nags: Sequence[int]) -> None: ...
    @property
    def clock(self) -> float | None: ...
    @clock.setter
    def clock(self, seconds: float | None) -> None: ...
    @property
    def elapsed(self) -> float | None: ...
    @property
    def evaluation(self) -> Evaluation | None: ...
    @evaluation.setter
    def evaluation(self, evaluation: Evaluation | None) -> None: ...
    @property
    def annotation(self) -> Annotation | None: ...
    @property
    def variations(self) -> list[list[Node]]: ...
    def game(self) -> Game: ...
    def next(self) -> Node | None: ...
    def add_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def add_main_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def add_line(
        self, moves: Sequence[Move | str], *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def promote(self) -> None: ...
    def promote_to_main(self) -> None: ...
    def demote(self) -> None: ...
    def remove(self) -> None: ...
    def board(self) -> Board | None: ...
    def board_before(self) -> Board | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Game, int]]: ...

@final
class Game:
    def __new__(cls, tags: Mapping[str, str] | None = None, *, variant: _AnyVariant | None = None) -> Self: ...
    @staticmethod
    def from_board(board: Board) -> Game: ...
    @property
    def file(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def tags(self) -> Tags: ...
    @property
    def variant(self) -> Variant | None: ...
    @property
    def main_line(self) -> list[Node]: ...
    @property
    def variations(self) -> list[list[Node]]: ...
    @property
    def comment(self) -> str | None: ...
    @comment.setter
    def comment(self, text: str | None) -> None: ...
    @property
    def plies(self) -> int: ...
    @property
    def is_legal(self) -> bool: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def has_errors(self) -> bool: ...
    @property
    def result(self) -> str: ...
    @result.setter
    def result(self, text: str) -> None: ...
    @property
    def winner(self) -> bool | None: ...
    def board(self) -> Board | None: ...
    def end(self) -> Board | None: ...
    def positions(self) -> list[Board]: ...
    def next(self) -> Node | None: ...
    def add_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def add_main_variation(
        self, move: Move | str, *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def add_line(
        self, moves: Sequence[Move | str], *, comment: str | None = None, nags: Sequence[int] = ...
    ) -> Node: ...
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None: ...
    def accuracy(self, color: bool) -> float | None: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_pdn(self) -> str: ...
    def source(self) -> bytes: ...
    def fmt(self, *, fix: bool = False) -> str: ...
    def _repr_svg_(self) -> str | None: ...
    def _tag(self, name: str) -> str | None: ...
    def _tag_names(self) -> list[str]: ...
    def _set_tag(self, name: str, value: str | None) -> None: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes, str | None, str, tuple[str, int, int]]]: ...

@final
class GameReader(Iterator[Game]):
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

@final
class HeaderReader(Iterator[dict[str, str]]):
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
) -> GameReader: ...
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
) -> GameReader: ...
@final
class TensorReader(Iterator[dict[str, Any]]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> dict[str, Any]: ...

def read_tensors(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    batch: int = ...,
    encoding: str | None = None,
    jobs: int | None = None,
) -> TensorReader: ...
def count_games(source: _Source, *, jobs: int | None = None) -> int: ...
def files_of(path: _Path) -> list[tuple[str, Path]]: ...
def read_headers(source: _Source, *, jobs: int | None = None) -> HeaderReader: ...
def run_command(arguments: Sequence[str]) -> int: ...
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
    """Report games that lack any of these tags, separated by commas (tag/missing)."""
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
) -> CheckReport: ...

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

def chart(
    source: _Source,
    *,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
    **options: Unpack[_ChartOptions],
) -> str: ...

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
) -> dict[str, Any]: ...

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
) -> dict[str, Any]: ...

class _EventOptions(TypedDict, total=False):
    # Generated: pdn event
    regulations: str
    """Rank as the regulations of a federation say (`fmjd`, `kndb`, `fide`, `ffjd`), or as a file does."""
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
    escape_formulas: bool
    """For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`."""
    excel: Literal["auto", "comma", "semicolon", "tab"]
    """For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates."""
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
) -> list[dict[str, Any]]: ...

def players(
    source: _Source,
    *,
    events: bool = False,
    variant: _AnyVariant | None = None,
    encoding: str | None = None,
    jobs: int | None = None,
) -> list[dict[str, Any]]: ...

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
) -> str: ...

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
) -> str: ...

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
) -> str: ...
@overload
def convert(
    source: _Source,
    *,
    to: _Format,
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
) -> str: ...
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
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def table_of_records(
    source: _Source,
    table: str,
    *,
    variant: _AnyVariant | None = None,
    strict: bool = False,
    encoding: str | None = None,
    jobs: int | None = None,
) -> TableStream: ...
def table_of_games(games: Iterable[Game], table: str) -> TableStream: ...
@final
class AnnotatedGames(Iterator[Game]):
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
    """Smallest losses for an inaccuracy, a mistake and a blunder, in points; to be marked, a move must lose 0.05 more. Default: 0.1,0.15,0.2."""
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
) -> AnnotatedGames: ...

@final
class Limit:
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
    def nodes(self) -> int | None: ...
    @property
    def depth(self) -> int | None: ...
    @property
    def time(self) -> float | None: ...
    @property
    def white_clock(self) -> float | None: ...
    @property
    def black_clock(self) -> float | None: ...
    @property
    def white_inc(self) -> float | None: ...
    @property
    def black_inc(self) -> float | None: ...
    @property
    def remaining_moves(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(
        self,
    ) -> tuple[Any, tuple[int | None, int | None, float | None, list[float | None], int | None]]: ...

@final
class Line:
    @property
    def evaluation(self) -> Evaluation: ...
    @property
    def moves(self) -> list[Move]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Evaluation, list[Move]]]: ...

def restore_line(evaluation: Evaluation, moves: Sequence[Move]) -> Line: ...
def restore_analysis(lines: Sequence[Line], depth: int, nodes: int) -> Analysis: ...
@final
class Analysis:
    @property
    def lines(self) -> list[Line]: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def best_move(self) -> Move | None: ...
    @property
    def pv(self) -> list[Move]: ...
    @property
    def evaluation(self) -> Evaluation | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[list[Line], int, int]]: ...

@final
class PlayResult:
    @property
    def move(self) -> Move: ...
    @property
    def ponder(self) -> Move | None: ...
    @property
    def info(self) -> Analysis: ...

@final
class RunningAnalysis(Iterator[Analysis]):
    def stop(self) -> None: ...
    def wait(self) -> Analysis: ...
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

@final
class Engine:
    def __new__(
        cls,
        variant: _AnyVariant | None = None,
        *,
        hash_mb: int = 64,
        threads: int = 1,
        weights: str | None = None,
        egdb: _Path | None = None,
    ) -> Self: ...
    @property
    def variant(self) -> Variant: ...
    def new_game(self) -> None: ...
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> Analysis: ...
    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
    ) -> RunningAnalysis: ...
    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> PlayResult: ...
    def stop(self) -> None: ...

@final
class HubEngine:
    def __new__(
        cls,
        command: str | Sequence[str],
        *,
        variant: _AnyVariant | None = None,
        timeout: float = 10.0,
        parameters: Mapping[str, str | int | float | bool] | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def variant(self) -> Variant: ...
    def new_game(self) -> None: ...
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> Analysis: ...
    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move | str] | None = None,
    ) -> RunningAnalysis: ...
    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Sequence[Move | str] | None = None,
        info: Callable[[Analysis], object] | None = None,
    ) -> PlayResult: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
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
    @property
    def score(self) -> MatchScore: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

@final
class MatchScore:
    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def elo(self) -> float | None: ...
    @property
    def elo_error(self) -> float | None: ...
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
) -> Match: ...

@final
class Databases:
    def __new__(cls, folder: _Path | None = None) -> Self: ...
    def probe(self, board: Board) -> Probe | None: ...
    def probe_moves(self, board: Board) -> list[tuple[Move, Probe | None]]: ...

@final
class Probe:
    @property
    def value(self) -> Literal["win", "draw", "loss"]: ...
    @property
    def plies(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
