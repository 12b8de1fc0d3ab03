"""Exceptions. Problems in a record are diagnostics, not exceptions.

All of them are a :exc:`PdnError`, except where an argument has the wrong type, which raises :exc:`TypeError`, or where something is
looked up that is not there, which raises :exc:`KeyError` or :exc:`IndexError`.
"""


class PdnError(Exception):
    """Base class of all exceptions in this package."""


class ArgumentError(PdnError, ValueError):
    """An argument or an option has a value that cannot be used."""


class FileError(PdnError, OSError):
    """A file cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist, or there is nothing to read."""


class FenError(PdnError, ValueError):
    """The text is not the FEN of a playable position."""


class InvalidMoveError(PdnError, ValueError):
    """The text is not a move."""


class IllegalMoveError(PdnError, ValueError):
    """The move is not legal."""


class AmbiguousMoveError(PdnError, ValueError):
    """The text matches several legal moves."""


class EditError(PdnError, ValueError):
    """A change of a game was refused, or the game lacks the move; the game is unchanged."""


class EngineError(PdnError, RuntimeError):
    """An engine could not be started, or did not answer as expected."""
