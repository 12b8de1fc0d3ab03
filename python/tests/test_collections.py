"""What is computed over all games of a collection, and reading on several threads."""

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy
import pytest

import pdn

RECORD = b'[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n'


def run(command: str, *arguments: str) -> str:
    return subprocess.run([command, *arguments, "--no-config"], capture_output=True, text=True, check=False).stdout


def test_answers_are_those_of_the_command_line(samples: Path, command: str) -> None:
    files = str(samples / "games")
    assert pdn.stats(files, top=3, shots=True) == json.loads(
        run(command, "stats", "--format", "json", "--top", "3", "--shots", files)
    )
    assert pdn.openings(files, plies=3, variant="italian") == json.loads(
        run(command, "openings", "--format", "json", "--plies", "3", "--variant", "italian", files)
    )
    one = str(samples / "games/brazilian.pdn")
    events = [json.loads(line) for line in run(command, "event", "--format", "json", one).splitlines()]
    assert pdn.event(one) == events and events[0]["players"]
    with pytest.raises(ValueError, match="there is no event `Nope`"):
        pdn.event(one, event="Nope")
    similar = str(samples / "diagnostics/event-similar-names.pdn")
    spellings = [json.loads(line) for line in run(command, "players", "--format", "json", similar).splitlines()]
    assert pdn.players(similar) == spellings and len(spellings) == 1
    assert pdn.report(one, lang="nl") == run(command, "report", "--lang", "nl", one)
    assert pdn.chart(one, kind="openings", top=3) == run(command, "chart", "--kind", "openings", "--top", "3", one)


def test_puzzles_are_those_of_the_command_line(tmp_path: Path, samples: Path, command: str) -> None:
    file = str(samples / "games/italian.pdn")
    options = ["--nodes", "2000", "--proof-nodes", "500"]
    formats: list[Literal["pdn", "jsonl"]] = ["pdn", "jsonl"]
    for to in formats:
        wanted = run(command, "puzzles", *options, "--order", "theme", "--to", to, file)
        assert pdn.puzzles(file, nodes=2000, proof_nodes=500, order="theme", to=to) == wanted
    with pytest.raises(pdn.ArgumentError, match="no shot has the name `potato`"):
        pdn.puzzles(RECORD, theme="potato")


def test_games_are_found(samples: Path, command: str) -> None:
    files = str(samples / "games")
    found = list(pdn.search(files, where="plies >= 60", material="kings>=1"))
    count = int(run(command, "search", "--where", "plies >= 60", "--material", "kings>=1", "--count", files))
    assert len(found) == count > 0
    assert all(game.plies >= 60 for game in found)
    with pytest.raises(pdn.ArgumentError, match="unknown field"):
        pdn.search(files, where="potato = 1")
    with pytest.raises(TypeError, match="unknown option `potato`"):
        pdn.search(files, potato=1)  # type: ignore[call-arg]


def test_output_with_the_name_of_compressed_data_is_refused(tmp_path: Path) -> None:
    for name in ["games.csv.gz", "games.ZIP"]:
        with pytest.raises(pdn.ArgumentError, match="the output cannot be .(gz|zip): it is not compressed"):
            pdn.convert(RECORD, to="csv", out=tmp_path / name)
        with pytest.raises(pdn.ArgumentError, match="it is not compressed"):
            pdn.fmt(RECORD, out=tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_messages_are_plain() -> None:
    # No caller with types would write these.
    api: Any = pdn
    calls: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: api.check(RECORD, foo=3), TypeError),
        (lambda: api.check(RECORD, require_tag="x"), TypeError),
        (lambda: api.check(RECORD, severity="bad"), pdn.ArgumentError),
        (lambda: api.check(RECORD, strict=3), pdn.ArgumentError),
        (lambda: api.check(RECORD, select="tag"), pdn.ArgumentError),
        (lambda: api.check(RECORD, encoding="x"), pdn.ArgumentError),
        (lambda: api.check(RECORD, variant="american"), pdn.ArgumentError),
        (lambda: api.chart(RECORD, kind="pie"), pdn.ArgumentError),
        (lambda: api.chart(RECORD, kind=3), pdn.ArgumentError),
        (lambda: api.chart(RECORD, top=-1), pdn.ArgumentError),
        (lambda: api.fmt(RECORD, width="x"), pdn.ArgumentError),
        (lambda: api.fmt(RECORD, strip=["x"]), pdn.ArgumentError),
        (lambda: api.convert(RECORD, to="docx"), pdn.ArgumentError),
        (lambda: api.convert(RECORD, to="csv", table="x"), pdn.ArgumentError),
        (lambda: api.stats(RECORD, top="x"), pdn.ArgumentError),
        (lambda: api.to_arrow(RECORD, "x"), pdn.ArgumentError),
        (lambda: api.read_games("/no/such/file.pdn").__next__(), pdn.MissingFileError),
        (lambda: api.stats("/no/such/file.pdn"), pdn.MissingFileError),
        (lambda: api.engine.HubEngine("x", timeout=-1), pdn.ArgumentError),
        (lambda: api.engine.match("builtin", "builtin", time=float("inf")), pdn.ArgumentError),
        (lambda: api.Board("x"), pdn.FenError),
    ]
    texts = []
    for call, error in calls:
        with pytest.raises(error) as raised:
            call()
        assert error is TypeError or isinstance(raised.value, pdn.PdnError)
        texts.append(str(raised.value))
    for word in ("unknown variant `", "unknown field", "usize", "u32", "invalid options", "sequence", "Duration", "requireTags"):
        assert not any(word in text for text in texts), (word, texts)
    assert "unknown option `require_tag`, expected one of `strict`, `select`, `ignore`, `deny`, `require_tags`" in texts[1]
    assert texts[2] == "option `severity`: unknown value `bad`, expected one of `note`, `warning`, `error`"
    assert texts[9] == "option `top`: invalid value: number `-1`, expected a whole number, at least 0"


LIMIT = pdn.engine.Limit(depth=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda api: api.convert(RECORD, to="jsonl", excel="comma"), "option `excel`: it is for CSV, but the output is jsonl"),
        (lambda api: api.convert(RECORD, to="fen", escape_formulas=True), "option `escape_formulas`: it is for CSV, but the output is fen"),
        (lambda api: api.convert(RECORD, to="jsonl", table="moves"), "option `table`: jsonl has no tables"),
        (lambda api: api.event(RECORD, aliases="A = B\nC"), "aliases, line 2: expected `alias = name`"),
        (lambda api: api.check(RECORD, jobs=0), "invalid value `0` for jobs; expected a number of at least 1"),
        (lambda api: api.stats(RECORD, jobs=-1), "invalid value `-1` for jobs; expected a number of at least 1"),
        (lambda api: api.read_games(RECORD, first=0), "invalid value `0` for first; expected a number of at least 1"),
        (lambda api: api.read_tensors(RECORD, batch=0), "invalid value `0` for batch; expected a number of at least 1"),
        (lambda api: api.puzzles(RECORD, hash_mb=-1), "invalid value `-1` for hash_mb; expected a number from 1 to 65536"),
        (lambda api: api.puzzles(RECORD, hash_mb=2000), "invalid value `2000` for hash; expected a number from 1 to 1024"),
        (lambda api: api.annotate([], LIMIT, multipv=0), "invalid value `0` for multipv; expected a number from 1 to 100"),
        (lambda api: api.engine.Engine(hash_mb=2**70), f"invalid value `{2**70}` for hash_mb; expected a number from 1 to 65536"),
        (lambda api: api.engine.Engine(threads=-1), "invalid value `-1` for threads; expected a number from 1 to 256"),
        (lambda api: api.engine.Limit(depth=-1), "invalid value `-1` for depth; expected a number of at least 1"),
        (lambda api: api.engine.Limit(nodes=0), "invalid value `0` for nodes; expected a number of at least 1"),
        (lambda api: api.engine.Limit(time=0), "invalid value `0.0` for time; expected a number of seconds greater than 0"),
        (lambda api: api.engine.Limit(time=10**400), "invalid value `inf` for time; expected a smaller number of seconds"),
        (lambda api: api.engine.Limit(white_clock=-1, black_clock=1), "expected a number of seconds of at least 0, found -1.0"),
        (lambda api: api.engine.HubEngine("x", timeout=-1), "expected a number of seconds of at least 0, found -1.0"),
        (lambda api: api.engine.HubEngine("x", timeout=1e300), "expected a smaller number of seconds, found 1e300"),
        (lambda api: api.engine.match("builtin", "builtin", time=-1), "expected a number of seconds greater than 0, found -1.0"),
        (lambda api: api.engine.match("builtin", "builtin", time_margin=-1), "expected a number of seconds of at least 0, found -1.0"),
        (lambda api: api.annotate([], LIMIT, scale=0), "option `scale`: invalid value `0`, expected a number of at least 1"),
        (lambda api: api.annotate([], LIMIT, to_ply=2**40), "option `to_ply`: invalid value `1099511627776`, expected a smaller number"),
        (lambda api: api.annotate([], LIMIT, from_ply=0), "option `from_ply`: invalid value `0`, expected a number of at least 1"),
        (lambda api: api.annotate([], LIMIT, from_ply=5, to_ply=2), "no move is annotated: the first ply, 5, is after the last, 2"),
        (lambda api: api.annotate([], LIMIT, player=" "), "expected the name of a player"),
        (lambda api: api.openings(RECORD, plies=0), "option `plies`: invalid value `0`, expected a number of at least 1 and at most 60"),
        (lambda api: api.openings(RECORD, plies=61), "option `plies`: invalid value `61`, expected a number of at least 1 and at most 60"),
        (lambda api: api.chart(RECORD, game=0), "option `game`: invalid value `0`, expected a number of at least 1"),
        (lambda api: api.fmt(RECORD, width=1), "option `width`: invalid value `1`, expected a number of at least 20 and at most 65535"),
        (lambda api: api.Evaluation(2**31), "invalid value `2147483648` for cm; expected a number from -2147483648 to 2147483647"),
        (lambda api: api.Evaluation(win_in=-1, winner=True), "invalid value `-1` for win_in; expected a number from 0 to 4294967295"),
        (lambda api: api.Evaluation(1).pov(True, win=2**40), "for win; expected a number from -2147483648 to 2147483647"),
        (lambda api: api.Board().perft(-(10**5000)), "invalid value `…` for depth; expected a number from 0 to 1000"),
        (lambda api: api.Game().add_variation("32-28", nags=[1_000]), "invalid value `1000` for nags; expected a number from 0 to 999"),
    ],
)
def test_numbers_out_of_range_name_the_argument_and_its_limits(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(pdn.ArgumentError) as raised:
        call(pdn)
    assert message in str(raised.value)


def test_large_numbers_are_limits_that_are_never_reached() -> None:
    assert pdn.check(RECORD, jobs=2**200).ok
    assert len(list(pdn.read_games(RECORD, last=2**200))) == 1
    assert pdn.engine.Engine().analyse(pdn.Board(), pdn.engine.Limit(depth=2, nodes=2**200)).depth == 2


@pytest.mark.parametrize("number", [-1, 0, 51, 300, 2**200, -(2**200)])
def test_numbers_that_no_square_has_are_index_errors(number: int) -> None:
    for call in (pdn.Board().piece_at, pdn.Variant("international").square_name, lambda square: pdn.Board().find_move(square, 28)):
        with pytest.raises(IndexError, match="the board has no square"):
            call(number)


def test_types_of_numbers_are_named() -> None:
    api: Any = pdn
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: api.check(RECORD, jobs="a"), "expected a whole number for jobs, found str"),
        (lambda: api.engine.Limit(depth=1.5), "expected a whole number for depth, found float"),
        (lambda: api.engine.Limit(time="x"), "expected a number of seconds, found str"),
    ]
    for call, expected in calls:
        with pytest.raises(TypeError, match=expected):
            call()


def test_options_that_are_none_are_not_given() -> None:
    report = pdn.check(RECORD, severity=None)  # type: ignore[arg-type]
    assert report.diagnostics == pdn.check(RECORD).diagnostics


def test_threads_share_a_reader() -> None:
    games = pdn.read_games(RECORD * 4000)
    headers = pdn.read_headers(RECORD * 4000)
    annotated = pdn.annotate(pdn.read_games(RECORD * 40), pdn.engine.Limit(nodes=5), jobs=2)
    for reader, wanted in [(games, 4000), (headers, 4000), (annotated, 40)]:
        counts: list[int] = [0] * 4
        errors: list[str] = []

        def read(n: int, reader: object = reader, counts: list[int] = counts, errors: list[str] = errors) -> None:
            try:
                for _ in reader:  # type: ignore[attr-defined]
                    counts[n] += 1
            except Exception as error:  # noqa: BLE001
                errors.append(repr(error))

        threads = [threading.Thread(target=read, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == [] and sum(counts) == wanted


def test_a_reader_that_reads_from_itself_says_so() -> None:
    def loop() -> object:
        yield next(reader)

    reader = pdn.annotate(loop(), pdn.engine.Limit(nodes=5))  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="asks for its own reader"):
        next(reader)


def test_variants_equal_their_names() -> None:
    russian = pdn.Variant("russian")
    assert russian == "russian" and russian != "english" and "russian" == russian
    assert {russian: 1}["russian"] == 1 == {"russian": 1}[russian]  # type: ignore[index]
    assert russian != 25 and pdn.Variant("25") == russian


def test_keys_are_those_of_the_tables(samples: Path) -> None:
    table = pdn.to_arrow(samples / "games/italian.pdn", "positions").to_pylist()
    boards = [(row["position_key"], row["canonical_key"], pdn.Board(row["fen"], variant="italian")) for row in table]
    assert len(boards) > 100
    for key, canonical, board in boards:
        assert (board.position_key, board.canonical_key) == (key, canonical)


def test_encodings_are_those_of_the_command_line() -> None:
    text = '[White "Ада"]\n1. 32-28 19-23 *'
    for name in ("utf-16le", "windows-1251", "koi8-r", "utf-8"):
        record = text.encode(name)
        (game,) = pdn.read_games(record, encoding=name)
        assert game.tags["White"] == "Ада" and pdn.stats(record, encoding=name)["players"][0]["name"] == "Ада"
        assert "Ада" in pdn.fmt(record, encoding=name) and "Ада" in pdn.convert(record, to="csv", encoding=name)
        assert pdn.to_arrow(record, encoding=name).column("White").to_pylist() == ["Ада"]


def test_versions() -> None:
    assert pdn.__version__.count(".") == 2


def test_boards_are_tensors() -> None:
    board = pdn.Board("W:W31,K32:B20,K1", variant="international")
    planes = board.tensor()
    assert planes.shape == (4, 50) and planes.dtype == numpy.float32 and planes.flags.writeable
    places = [plane.nonzero()[0].tolist() for plane in planes]
    assert places == [[30], [31], [19], [0]]
    black = [plane.nonzero()[0].tolist() for plane in board.tensor(pdn.BLACK)]
    assert black == [[30], [49], [19], [18]]
    for variant in pdn.variants():
        start = pdn.Board(variant=variant)
        # Both sides see the same.
        assert (start.tensor(pdn.WHITE) == start.tensor(pdn.BLACK)).all()


def test_batches_are_the_positions_of_the_games(samples: Path) -> None:
    file = samples / "games/international.pdn"
    boards, moves, points = [], [], []
    for game in pdn.read_games(file):
        for node in game.main_line:
            board, move = node.board_before(), node.move
            if board is None or move is None or game.variant != "international":
                continue
            boards.append(board.tensor())
            places = [move.from_square - 1, move.to_square - 1]
            moves.append(places if board.turn else [49 - place for place in places])
            result = {"2-0": 1.0, "0-2": 0.0, "1-1": 0.5}.get(game.result, float("nan"))
            points.append(result if board.turn else 1 - result)
    batches = list(pdn.read_tensors(file, batch=1000))
    assert [len(batch["points"]) for batch in batches[:-1]] == [1000] * (len(batches) - 1)
    joined = {name: numpy.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    assert (joined["planes"] == numpy.stack(boards)).all()
    assert joined["moves"].tolist() == moves
    assert numpy.array_equal(joined["points"], numpy.array(points, dtype="float32"), equal_nan=True)
    assert list(pdn.read_tensors(file, variant="russian")) == []
