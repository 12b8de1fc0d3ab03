"""The tags of a game as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pdn._core import Game


class Tags(MutableMapping[str, str]):
    """The tags of a game in order, always as they are now. Changes are changes of the game.

    A name that occurs more than once has its first value, and is removed with all of them.
    """

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getitem__(self, name: str) -> str:
        value = self._game._tag(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        self._game._set_tags([(name, value)])

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._game._remove_tags([name])

    def clear(self) -> None:
        """Removes all tags, or none if that is refused."""
        self._game._remove_tags(list(self))

    def update(self, *given: Any, **named: Any) -> None:
        """Sets tags, or none if one of them is refused."""
        self._game._set_tags(list(dict(*given, **named).items()))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._game._tag(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self._game._tag_names()))

    def __len__(self) -> int:
        return len(set(self._game._tag_names()))

    def __repr__(self) -> str:
        return f"Tags({dict(self)})"
