"""What the tests share."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import settings

import pdn

# No test depends on time.
settings.register_profile("pdn", deadline=None, max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "40")))
settings.load_profile("pdn")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def samples() -> Path:
    """The samples of the repository."""
    return ROOT / "samples"


@pytest.fixture(scope="session")
def files(samples: Path) -> list[Path]:
    """The games among the samples."""
    return sorted(samples.glob("games/*.pdn"))


@pytest.fixture(scope="session")
def command() -> str:
    """The command line to compare with; tests that need it are skipped without it."""
    path = os.environ.get("PDN_COMMAND", str(ROOT / "target/debug/pdn"))
    if not Path(path).is_file():
        if os.environ.get("PDN_REQUIRE_COMMAND") == "1":
            pytest.fail(f"{path} is missing")
        pytest.skip("skipped: no command line")
    return path


def random_board(rng: random.Random, variant: str, plies: int) -> pdn.Board:
    """Returns a board after random moves."""
    board = pdn.Board(variant=variant)
    for _ in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def random_game(rng: random.Random, variant: str, plies: int) -> str:
    """Returns the text of a game with random moves, some of them wrong."""
    board, texts = pdn.Board(variant=variant), []
    for ply in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        move = rng.choice(moves)
        texts.append((f"{ply // 2 + 1}. " if ply % 2 == 0 else "") + board.notation(move))
        board.push(move)
    if rng.random() < 0.1:
        texts.append(rng.choice(["99-98", "32-28", "(1. ", "{open", "c3-d4", "??"]))
    game_type = pdn.Variant(variant).game_type
    return f'[Event "Random"]\n[GameType "{game_type}"]\n[Result "*"]\n\n{" ".join(texts)} *\n\n'
