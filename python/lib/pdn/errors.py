"""Exceptions. Problems in a record are diagnostics, not exceptions."""


class PdnError(Exception):
    """Base class of all exceptions in this package."""


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
