"""Draughts games in Portable Draughts Notation: read, check, convert, analyse, annotate.

>>> import pdn
>>> board = pdn.Board()
>>> board.push("32-28")
>>> game, = pdn.read_games(b"1. 32-28 19-23 2. 28x19 14x23 *")
>>> [node.notation for node in game.main_line]
['32-28', '19-23', '28x19', '14x23']
"""

from pdn import egdb, engine, svg, tables
from pdn._core import (
    AnnotatedGames,
    Annotation,
    Board,
    CheckReport,
    Diagnostic,
    Evaluation,
    Game,
    GameReader,
    HeaderReader,
    Move,
    Node,
    Outcome,
    Summary,
    TensorReader,
    Variant,
    __version__,
    annotate,
    check,
    convert,
    event,
    explain,
    fmt,
    openings,
    players,
    puzzles,
    read_games,
    read_headers,
    read_tensors,
    report,
    search,
    stats,
    variants,
)
from pdn._tags import Tags
from pdn.errors import (
    AmbiguousMoveError,
    ArgumentError,
    EditError,
    EngineError,
    FenError,
    FileError,
    IllegalMoveError,
    InvalidMoveError,
    MissingFileError,
    PdnError,
)
from pdn.svg import chart
from pdn.tables import to_arrow, to_pandas, to_polars

Color = bool
WHITE: Color = True
BLACK: Color = False

__all__ = [
    "BLACK",
    "WHITE",
    "AmbiguousMoveError",
    "AnnotatedGames",
    "Annotation",
    "ArgumentError",
    "Board",
    "CheckReport",
    "Color",
    "Diagnostic",
    "EditError",
    "EngineError",
    "Evaluation",
    "FenError",
    "FileError",
    "Game",
    "GameReader",
    "HeaderReader",
    "IllegalMoveError",
    "InvalidMoveError",
    "MissingFileError",
    "Move",
    "Node",
    "Outcome",
    "PdnError",
    "Summary",
    "Tags",
    "TensorReader",
    "Variant",
    "__version__",
    "annotate",
    "chart",
    "check",
    "convert",
    "egdb",
    "engine",
    "event",
    "explain",
    "fmt",
    "openings",
    "players",
    "puzzles",
    "read_games",
    "read_headers",
    "read_tensors",
    "report",
    "search",
    "stats",
    "svg",
    "tables",
    "to_arrow",
    "to_pandas",
    "to_polars",
    "variants",
]
