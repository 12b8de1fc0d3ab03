"""Exceptions. What is wrong with a record is no exception but a diagnostic."""


class PdnError(Exception):
    """The base of the exceptions of this package."""


class FenError(PdnError, ValueError):
    """The text is not the FEN of a playable position."""


class InvalidMoveError(PdnError, ValueError):
    """The text is not a move."""


class IllegalMoveError(PdnError, ValueError):
    """The move is not legal."""


class AmbiguousMoveError(PdnError, ValueError):
    """Several legal moves fit the text."""


class EngineError(PdnError, RuntimeError):
    """An engine cannot be started, or does not answer as expected."""
