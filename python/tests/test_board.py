"""Boards and moves."""

import copy
import pickle
import random
from collections.abc import Callable

import pytest
from conftest import random_board
from hypothesis import given
from hypothesis import strategies as st

import pdn

VARIANTS = [variant.name for variant in pdn.variants()]


def test_perft_of_known_positions() -> None:
    assert [pdn.Board().perft(depth) for depth in range(1, 5)] == [9, 81, 658, 4265]
    assert pdn.Board(variant="english").perft(5) == 7361
    assert pdn.Board(variant="russian").perft(5) == 7482


@given(st.sampled_from(VARIANTS), st.integers(0, 40), st.randoms(use_true_random=False))
def test_a_board_survives_its_texts_and_takes_moves_back(variant: str, plies: int, rng: random.Random) -> None:
    board = random_board(rng, variant, plies)
    again = pdn.Board(board.fen(), variant=variant)
    assert again.fen() == board.fen() and again.turn == board.turn
    moves = board.legal_moves
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert board.is_legal(move)
        assert board.parse_move(board.notation(move)) == move
        assert board.parse_move(board.notation(move, full=True)) == move
        before = board.fen()
        board.push(move)
        assert board.peek() == move and board.pop() == move and board.fen() == before
    while board.ply():
        board.pop()
    assert board == pdn.Board(variant=variant) == board.root()


@given(st.sampled_from(VARIANTS), st.integers(0, 20), st.randoms(use_true_random=False))
def test_boards_survive_pickle(variant: str, plies: int, rng: random.Random) -> None:
    board = random_board(rng, variant, plies)
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.move_stack == board.move_stack
    assert copy.deepcopy(board) == board == board.copy() == board.copy(stack=False)


@pytest.mark.parametrize("variant", ["frisian", "frysk"])
def test_consecutive_king_moves_survive_copies(variant: str) -> None:
    board = pdn.Board("W:W46,K48:B5,K3", variant=variant)
    for text in ["48-43", "3-8", "43-48", "8-3", "48-43", "3-8"]:
        board.push(text)
    assert [str(move) for move in board.legal_moves] == ["46-41"]
    root = board.copy(stack=False)
    root.push("46-41")
    for one in (board, board.copy(stack=False), root):
        for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert again == one and again.legal_moves == one.legal_moves and again.move_stack == one.move_stack
    copied = copy.copy(board)
    copied.pop()
    assert copied != board and board.ply() == 6
    # A FEN lacks them.
    assert len(pdn.Board(board.fen(), variant=variant).legal_moves) > 1


def test_variants_and_limits_survive_pickle() -> None:
    limit = pdn.engine.Limit(nodes=5, time=0.5)
    assert pickle.loads(pickle.dumps(limit)) == limit
    assert pickle.loads(pickle.dumps(pdn.Variant("pool"))) == pdn.Variant("pool")


def test_errors_are_typed() -> None:
    board = pdn.Board()
    for text, error in [("zz", pdn.InvalidMoveError), ("32-26", pdn.IllegalMoveError)]:
        with pytest.raises(error):
            board.parse_move(text)
    with pytest.raises(pdn.IllegalMoveError):
        board.push(pdn.Board("W:W46:B1").legal_moves[0])
    with pytest.raises(pdn.IllegalMoveError):
        board.push(pdn.Board(variant="english").legal_moves[0])
    english = pdn.Board(variant="english").legal_moves[0]
    limit = pdn.engine.Limit(nodes=1)
    calls: list[Callable[[pdn.Move], object]] = [board.push, board.notation]
    calls.append(lambda move: pdn.engine.Engine().analyse(board, limit, root_moves=[move]))
    for call in calls:
        with pytest.raises(pdn.IllegalMoveError, match="a move of english on a board of international"):
            call(english)
    with pytest.raises(TypeError, match="expected a list of moves, found str"):
        pdn.engine.Engine().analyse(board, limit, root_moves="32-28")
    with pytest.raises(pdn.FenError):
        pdn.Board("W:W99:B1")
    with pytest.raises(ValueError, match="unknown variant"):
        pdn.Board(variant="ludo")
    with pytest.raises(IndexError):
        board.pop()
    assert issubclass(pdn.FenError, ValueError) and issubclass(pdn.FenError, pdn.PdnError)


def test_ambiguous_captures_are_errors() -> None:
    board = pdn.Board("W:WK46:B28,29,39,40", variant="international")
    texts = [board.notation(move) for move in board.legal_moves]
    assert len(set(texts)) == len(texts)
    ambiguous = [move for move in board.legal_moves if len(board.notation(move)) > 5]
    for move in ambiguous:
        with pytest.raises(pdn.AmbiguousMoveError):
            board.find_move(move.from_square, move.to_square)


def test_games_end() -> None:
    assert pdn.Board().outcome() is None and pdn.Board().result() == "*"
    lost = pdn.Board("B:W28:B")
    outcome = lost.outcome()
    assert outcome is not None and outcome.winner is pdn.WHITE and outcome.result() == "2-0"
    assert lost.is_game_over() and not lost.legal_moves


def test_repetitions_are_draws() -> None:
    board = pdn.Board("W:WK5,50:BK26,1", variant="international")
    while not board.is_game_over(claim_draw=True) and board.ply() < 40:
        for text in ["5-10", "26-21", "10-5", "21-26"]:
            board.push_move(text)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None and outcome.winner is None and outcome.termination == "threefold"


def test_pieces() -> None:
    board = pdn.Board("W:W28,K31:BK5,19")
    assert board.piece_map() == {5: "B", 19: "b", 28: "w", 31: "W"}
    assert board.piece_at(28) == "w" and board.piece_at(1) is None
    with pytest.raises(IndexError):
        board.piece_at(51)
    for number in (-1, 256, 10**40):
        with pytest.raises(IndexError, match=f"the board has no square {number}\\b"):
            board.piece_at(number)


def test_pictures() -> None:
    svg = pdn.svg.board(pdn.Board(), flipped=True, arrows=[(32, 28)])
    assert svg.startswith("<svg ") and svg.endswith("</svg>\n")
    assert pdn.Board()._repr_svg_() == pdn.svg.board(pdn.Board())
