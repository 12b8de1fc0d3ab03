"""Games that are made and changed."""

import copy
import pickle
import random
from pathlib import Path

import pytest
from conftest import random_board
from hypothesis import given
from hypothesis import strategies as st

import pdn

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "samples").rglob("*.pdn"))
VARIANTS = [variant.name for variant in pdn.variants()]


def read(text: str | bytes, variant: str | None = None) -> pdn.Game:
    (game,) = pdn.read_games(text.encode() if isinstance(text, str) else text, variant=variant)
    return game


def lines(nodes: list[pdn.Node]) -> list[object]:
    """Returns all that is said of the moves of a line and its variations."""
    return [
        (
            node.notation,
            node.comment,
            node.nags,
            node.clock,
            node.evaluation and node.evaluation.pov(pdn.WHITE),
            [lines(variation) for variation in node.variations],
        )
        for node in nodes
    ]


def random_tree(rng: random.Random, game: pdn.Game) -> None:
    """Adds moves, variations, comments, glyphs, clocks and evaluations at random places."""
    places: list[pdn.Game | pdn.Node] = [game]
    for _ in range(rng.randrange(1, 25)):
        place = rng.choice(places)
        board = place.board()
        assert board is not None
        if not board.legal_moves:
            continue
        move = rng.choice(board.legal_moves)
        comment = rng.choice([None, "plain", "with [%cal G3228] a command", "é — ü"])
        made: list[pdn.Move | str] = [move, board.notation(move), board.notation(move, full=True)]
        node = place.add_variation(rng.choice(made), comment=comment, nags=rng.sample(range(1, 7), rng.randrange(3)))
        assert node.move == move and node.board_before() == board
        if rng.random() < 0.3:
            node.clock = float(rng.randrange(10_000))
        if rng.random() < 0.3:
            node.evaluation = pdn.Evaluation(rng.randrange(-500, 500))
        places.append(node)


@given(st.sampled_from(VARIANTS), st.integers(0, 12), st.randoms(use_true_random=False))
def test_games_that_are_made_are_read_as_they_are(variant: str, plies: int, rng: random.Random) -> None:
    board = random_board(rng, variant, plies).copy(stack=rng.random() < 0.5)
    game = pdn.Game.from_board(board)
    assert game.end() == board and [node.move for node in game.main_line] == board.move_stack
    random_tree(rng, game)
    game.tags["White"] = 'The "A" \\ B'
    tagged = game.tags.get("GameType") is not None
    for text in (str(game), game.source()):
        again = read(text, None if tagged else variant)
        assert lines(again.main_line) == lines(game.main_line), text
        assert [lines(line) for line in again.variations] == [lines(line) for line in game.variations]
        assert again.tags == game.tags and again.variant == game.variant and not again.has_errors


def test_a_new_game_has_the_tags_of_the_roster() -> None:
    game = pdn.Game({"White": "Ada", "Round": "3"}, variant="russian")
    assert list(game.tags) == ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType"]
    assert (game.tags["White"], game.tags["Round"], game.tags["GameType"][:2]) == ("Ada", "3", "25")
    assert game.variant == pdn.Variant("russian") and game.main_line == [] and game.file == ""
    assert pdn.Game({"GameType": "25"}).variant == pdn.Variant("russian")
    for tags, given, refused in (
        ({"GameType": "25"}, "brazilian", "GameType 25 is russian, but variant is brazilian"),
        ({"GameType": "20"}, "killer", "GameType 20 is international, but variant is killer"),
        ({"Variant": "killer"}, "frisian", "Variant killer is killer, but variant is frisian"),
    ):
        with pytest.raises(pdn.ArgumentError, match=refused):
            pdn.Game(tags, variant=given)
    assert pdn.Game({"GameType": "25"}, variant="russian").variant == pdn.Variant("russian")
    killer = pdn.Game({"Variant": "killer"})
    for game in (killer, pdn.Game(variant="killer"), pdn.Game.from_board(pdn.Board(variant="killer"))):
        assert game.variant == pdn.Variant("killer") and game.tags["Variant"] == "killer" and "GameType" not in game.tags
        assert read(str(game)).variant == game.variant
    assert pdn.Game({"Variant": "rapid"}).variant == pdn.Variant("international")
    position = pdn.Game({"SetUp": "1", "FEN": "W:W31:B20"})
    board = position.board()
    assert board is not None and board.fen() == "W:W31:B20"


def test_tags_are_a_mapping_that_writes_through() -> None:
    game = read(b'[White "A"]\r\n[Black "B"]\r\n[Black "C"]\r\n\r\n1. 32-28 *')
    tags = game.tags
    tags["White"] = "D"
    game.tags["Event"] = "Final"
    assert game.source() == b'[White "D"]\r\n[Black "B"]\r\n[Black "C"]\r\n[Event "Final"]\r\n\r\n1. 32-28 *'
    assert dict(tags) == {"White": "D", "Black": "B", "Event": "Final"} == tags and len(tags) == 3
    del tags["Black"]
    assert game.source() == b'[White "D"]\r\n[Event "Final"]\r\n\r\n1. 32-28 *' and "Black" not in game.tags
    for missing in (lambda: tags["Black"], lambda: tags.__delitem__("Black")):
        with pytest.raises(KeyError):
            missing()
    with pytest.raises(pdn.EditError, match="name of a tag"):
        tags["a b"] = "c"
    for value in (None, 5):
        with pytest.raises(TypeError):
            tags["White"] = value  # type: ignore[assignment]
    assert tags["White"] == "D"
    assert tags.pop("Event") == "Final" and repr(tags) == "Tags({'White': 'D'})"
    tags.update({"Event": "Cup"}, Black="B")
    assert dict(tags) == {"White": "D", "Event": "Cup", "Black": "B"}


def test_words_after_a_glued_semicolon_stay_words() -> None:
    game = read(b"1. 32-28; opm\n17-22 *")
    game.main_line[0].comment = "good"
    game.main_line[0].clock = 60
    assert game.source().startswith(b"1. 32-28 {") and b"}; opm\n17-22 *" in game.source()
    last = game.main_line[1]
    last.remove()
    assert repr(last) == "<Node removed>"


def test_comments_are_what_was_set() -> None:
    for old in ("{good}", "{[%clk 1] good}", "{[%clk 1]} {good}", "{[%eval} {good}", "{so} {good}"):
        for new in ("good", "goodbye", "good morning", "so good", "so very good", "[%eval nonsense"):
            move = read(f"1. 32-28 {old} 19-23 *".encode()).main_line[0]
            move.comment = new
            assert move.comment == new, (old, new)
    move = read(b"1. 32-28 {[%foo bar]} 19-23 *").main_line[0]
    move.comment = "[%eval"
    move.comment = "[%eval nonsense]"
    assert move.game().source() == b"1. 32-28 {[%foo bar] [%eval nonsense]} 19-23 *"


def test_tags_that_are_refused_together_are_unchanged() -> None:
    game = pdn.Game({"White": "A"})
    before = game.source()
    with pytest.raises(pdn.EditError, match="name of a tag"):
        game.tags.update({"White": "B", "a b": "z"})
    with pytest.raises(pdn.EditError, match="left unchanged"):
        game.tags.clear()
    assert game.source() == before


def test_only_the_bytes_of_a_change_change() -> None:
    text = b"1.32-28   19-23!  {old [%eval 0.30]}(18-23) 2.28x19\n{ tail }\n14x23   1-1"
    game = read(text)
    second = game.main_line[1]
    second.comment = "new"
    assert game.source() == text.replace(b"{old [%eval 0.30]}", b"{[%eval 0.30] new}")
    second.evaluation = pdn.Evaluation(win_in=7, winner=pdn.BLACK)
    assert game.source() == text.replace(b"{old [%eval 0.30]}", b"{[%eval #-7] new}")
    second.comment = second.evaluation = None
    assert game.source() == text.replace(b"{old [%eval 0.30]}", b"")
    second.nags = []
    assert second.nags == [] and b"19-23 " in game.source()
    game.result = "2-0"
    assert game.result == "2-0" and game.source().endswith(b"14x23   2-0")


def test_clocks_are_written_where_they_are() -> None:
    game = read(b"1. 32-28 {[%clock w0:10:00 B0:09:50] x} 19-23 {[%clk 0:09:00]} 2. 28x19 *")
    first, second, third = game.main_line
    first.clock, second.clock, third.clock = 599.5, None, 5400.0
    assert game.source() == b"1. 32-28 {[%clock w0:09:59.5 B0:09:50] x} 19-23 2. 28x19 {[%clk 1:30:00]} *"
    assert [node.clock for node in game.main_line] == [599.5, None, 5400.0]
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            first.clock = wrong


def test_variations_go_up_and_down() -> None:
    game = pdn.Game()
    main = game.add_variation("32-28")
    main.add_line(["19-23", "28x19"])
    second, third = main.add_variation("18-22"), main.add_variation("17-21")
    tail = third.add_variation("31-27")

    def order() -> list[str]:
        answer = main.next()
        assert answer is not None
        return [str(answer), *(str(line[0]) for line in answer.variations)]

    assert order() == ["19-23", "18-22", "17-21"]
    third.promote()
    assert order() == ["19-23", "17-21", "18-22"]
    third.promote()
    assert order() == ["17-21", "19-23", "18-22"] and main.next() == third and third.next() == tail
    third.promote()
    assert order() == ["17-21", "19-23", "18-22"]
    second.promote_to_main()
    assert order() == ["18-22", "17-21", "19-23"]
    second.demote()
    assert order() == ["17-21", "18-22", "19-23"]
    second.demote()
    assert order() == ["17-21", "19-23", "18-22"]
    second.demote()
    assert order() == ["17-21", "19-23", "18-22"]
    assert str(main.add_main_variation("20-25")) == "20-25" and order() == ["20-25", "17-21", "19-23", "18-22"]
    assert str(second.add_main_variation("31-27")) == "31-27" and order() == ["20-25", "17-21", "19-23", "18-22"]
    third.remove()
    assert order() == ["20-25", "19-23", "18-22"]
    with pytest.raises(pdn.EditError, match="removed"):
        tail.comment = "gone"
    main.remove()
    assert game.main_line == [] and str(game).endswith("\n*")


def test_nodes_know_their_place() -> None:
    game = read("1. 32-28 19-23 (18-23 (17-21) 2. 31-27) 2. 28x19 *")
    first, second, third = game.main_line
    assert first in game.main_line and second == game.main_line[1] != third and len({first, first.game().next()}) == 1
    assert first.parent == game and second.parent == first and third.parent == second and third.next() is None
    inner, reply = second.variations[0][0].variations[0][0], second.variations[0][1]
    assert inner.parent == first and reply.parent == second.variations[0][0]
    first.comment = "before"
    second.variations[0][0].remove()
    assert third in game.main_line and third.text == "28x19"
    with pytest.raises(pdn.EditError):
        _ = inner.text
    assert first != copy.copy(game).main_line[0]


def test_boards_of_a_game_know_its_history() -> None:
    moves = ["5-10", "26-21", "10-5", "21-26"] * 2
    board = pdn.Board("W:WK5,50:BK26,1")
    for move in moves:
        board.push(move)
    game = pdn.Game.from_board(board)
    end = game.end()
    assert end is not None and end.move_stack == board.move_stack and end.root() == game.board()
    assert end.outcome(claim_draw=True) == board.outcome(claim_draw=True) == game.outcome(claim_draw=True) is not None
    assert any(row.code == "draw/threefold" for row in game.diagnostics)
    for ply, (node, position) in enumerate(zip(game.main_line, game.positions()[1:], strict=True), 1):
        after, before = node.board(), node.board_before()
        assert after is not None and before is not None
        assert after == position and after.ply() == position.ply() == ply == before.ply() + 1
        assert after.pop() == node.move and after == before
    line = game.main_line[3].add_line(["50-45", "1-7"])
    branch = line.board()
    assert branch is not None and [str(move) for move in branch.move_stack[-3:]] == ["21-26", "50-45", "1-7"]
    branch.push("5-10")
    again = line.board()
    assert again is not None and again.ply() == 6


def test_refused_changes_say_why_and_change_nothing() -> None:
    game = read("1. 32-28 19-23 *")
    before = game.source()
    node = game.main_line[-1]
    with pytest.raises(pdn.IllegalMoveError, match="28x19"):
        node.add_variation("31-26")
    with pytest.raises(pdn.InvalidMoveError):
        node.add_line(["28x19", "zz"])
    with pytest.raises(pdn.EditError):
        node.add_variation("28x19", comment="x", nags=[1]).game().result = "nonsense 1. 32-28"
    assert game.main_line[-1].comment == "x"
    game.main_line[-1].remove()
    assert game.source() == before
    with pytest.raises(pdn.ArgumentError, match="no moves"):
        node.add_line([])
    with pytest.raises(pdn.ArgumentError, match="from 0 to 999"):
        node.nags = [1000]
    with pytest.raises(TypeError, match="expected a list of moves, found str"):
        node.add_line("28x19")
    with pytest.raises(TypeError, match="expected a list of glyphs, found str"):
        node.nags = "1"  # type: ignore[assignment]
    with pytest.raises(TypeError):
        pdn.Evaluation()


def test_games_and_values_survive_pickle_and_copy() -> None:
    game = read("[GameType \"25\"]\r\n1. c3-d4 b6-a5 (1... f6-g5 {x}) 2. d4-c5 *")
    node = game.main_line[1].variations[0][0]
    again = pickle.loads(pickle.dumps(game))
    assert again.source() == game.source() and (again.number, again.variant) == (game.number, game.variant)
    restored = pickle.loads(pickle.dumps(node))
    assert (restored.text, restored.comment, restored.game().source()) == (node.text, node.comment, game.source())
    other = copy.deepcopy(game)
    other.tags["White"] = "A"
    assert "White" not in game.tags and other != game
    for value in (pdn.Evaluation(32), pdn.Evaluation(win_in=7, winner=pdn.BLACK), node.move):
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
    analysis = pdn.engine.analyse(pdn.Board(), pdn.engine.Limit(nodes=1000), multipv=2)
    assert pickle.loads(pickle.dumps(analysis)) == analysis == copy.copy(analysis)
    inferred = read("1. 32-28 19-23 *")
    assert pickle.loads(pickle.dumps(inferred)).variant == inferred.variant
    annotated = next(pdn.annotate([inferred], pdn.engine.Limit(nodes=100)))
    with pytest.raises(pdn.PdnError):
        pickle.dumps(annotated)
    with pytest.raises(pdn.EditError, match="annotated"):
        annotated.main_line[0].comment = "x"


def test_nodes_stay_with_their_game_in_pickle_and_copies() -> None:
    game = read("1. 32-28 19-23 (18-23) *")
    nodes = [*game.main_line, game.main_line[1].variations[0][0]]

    def pickled(values: list[pdn.Game | pdn.Node]) -> list[pdn.Game | pdn.Node]:
        again: list[pdn.Game | pdn.Node] = pickle.loads(pickle.dumps(values))
        return again

    orders: list[list[pdn.Game | pdn.Node]] = [[game, *nodes], [*nodes, game]]
    for copied in (pickled, copy.deepcopy):
        for order in orders:
            again = copied(order)
            (other,) = (value for value in again if isinstance(value, pdn.Game))
            moved = [value for value in again if isinstance(value, pdn.Node)]
            assert other != game and all(node.game() == other for node in moved)
            moved[0].comment = "x"
            assert other.main_line[0].comment == "x" and game.main_line[0].comment is None
    assert nodes[0].game() is game and copy.copy(nodes[0]) == nodes[0]
    # Without the object of the game, too.
    nodes = read("1. 32-28 19-23 *").main_line
    one, two = pickle.loads(pickle.dumps(nodes))
    assert one.game() == two.game()


def test_places_are_those_of_the_file_after_changes_and_pickle() -> None:
    tag = b'[GameType "20"]'
    text = tag + b"\n1. 32-28 *\n\n" + tag + b'\n[Date "1995.11.1"]\n1. 32-28 19-23 2. 31-22 * ' + tag + b" 1. 31-22 *\n"

    def places(game: pdn.Game) -> list[tuple[str, int, int, int]]:
        return [(found.code, found.offset, found.line, found.column) for found in game.diagnostics if found.code in ("tag/date", "move/illegal")]

    games = list(pdn.read_games(text))
    again = pickle.loads(pickle.dumps(games))
    assert [game.diagnostics for game in again] == [game.diagnostics for game in games]
    date, (code, offset, line, column) = places(games[1])
    assert (date[2], code, line, column) == (5, "move/illegal", 6, 19)
    for game in (games[1], again[1]):
        game.main_line[0].comment = "x"
        assert places(game) == [date, (code, offset + len(" {x}"), line, column + len(" {x}"))]
    before = places(games[2])
    for game in (games[2], again[2]):
        game.main_line[0].nags = [2]
        assert places(game) == before != []


def test_moves_as_engines_write_them_and_names_of_squares() -> None:
    board = pdn.Board("W:WK40:B19,29")
    move = board.parse_move("40x14x19x29")
    assert move == board.parse_move("40x14x29x19") and move.captured == [19, 29] and move.path[0] == 40
    board.push("40x14x19x29")
    assert board.peek() == move and board.peek().path == move.path
    russian = pdn.Variant("russian")
    assert [russian.parse_square(russian.square_name(n)) for n in range(1, 33)] == list(range(1, 33))
    with pytest.raises(ValueError, match="no square"):
        russian.parse_square("z9")
    with pytest.raises(IndexError):
        russian.square_name(33)


def replaced(before: bytes, after: bytes) -> tuple[bytes, bytes]:
    """Returns the bytes between what two texts have in common at their start and at their end."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    end = next((n for n in range(shorter - start) if before[-1 - n] != after[-1 - n]), shorter - start)
    return before[start : len(before) - end], after[start : len(after) - end]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_edits_of_real_records_change_only_their_bytes(path: Path) -> None:
    data = path.read_bytes()
    for game in list(pdn.read_games(path))[:10]:
        before = game.source()
        if data[game.offset : game.offset + len(before)] != before:
            continue  # A record in another format or in UTF-16 is written in PDN.
        try:
            game.tags["Source"] = "ours"
        except pdn.EditError:
            assert game.source() == before
            continue
        old, new = replaced(before, game.source())
        assert b"ours" in new and len(new) < 25 and len(old) < 60 and b"\n" not in old
        assert game.tags["Source"] == "ours"
        for node in game.main_line[:3]:
            with_tag, comment = game.source(), node.comment
            try:
                node.comment = f"{comment or ''} and ours"
            except pdn.EditError:
                assert game.source() == with_tag and node.comment == comment
                continue
            old, new = replaced(with_tag, game.source())
            # A comment may be joined with the next one, or get the braces that it lacked.
            assert b"ours" in new and len(new) < 40 and len(old) < 20
