"""Engines, annotations and databases."""

import json
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from types import MappingProxyType

import pytest

import pdn
from pdn import engine as engines
from pdn.engine import Analysis, Engine, HubEngine, Limit, analyse


def test_analyses_have_lines() -> None:
    board = pdn.Board("W:W31,32:B19,20", variant="international")
    analysis = analyse(board, Limit(depth=6), multipv=3)
    assert len(analysis.lines) == 3 and analysis.best_move == analysis.pv[0]
    for line in analysis.lines:
        played = board.copy()
        for move in line.moves:
            played.push(move)
    values = [line.evaluation.pov(board.turn) for line in analysis.lines]
    assert values == sorted(values, reverse=True)


def test_wins_have_distances() -> None:
    analysis = analyse(pdn.Board("W:W22:B18", variant="english"), Limit(nodes=2000))
    evaluation = analysis.evaluation
    assert evaluation is not None and evaluation.winner is pdn.WHITE and evaluation.cm is None
    assert evaluation.pov(pdn.WHITE) == 30_000 - (evaluation.win_in or 0) == -evaluation.pov(pdn.BLACK)


def test_limits_are_required_and_checked() -> None:
    with pytest.raises(ValueError):
        Limit()
    for time in [-1.0, float("nan")]:
        with pytest.raises(ValueError):
            Limit(time=time)
    with pytest.raises(ValueError, match="expected a position of english"):
        Engine("english").analyse(pdn.Board(), Limit(nodes=1))


def test_engines_have_a_class_in_common() -> None:
    def depth_of(engine: engines.BaseEngine) -> int:
        return engine.analyse(pdn.Board(variant=engine.variant), Limit(depth=2)).depth

    assert depth_of(Engine("russian")) == 2 and issubclass(HubEngine, engines.BaseEngine)
    with pytest.raises(TypeError):
        engines.BaseEngine()


def test_engines_repeat_themselves() -> None:
    first, second = (Engine("russian").analyse(pdn.Board(variant="russian"), Limit(nodes=3000)) for _ in range(2))
    assert repr(first) == repr(second)


def test_hub_engines_are_programs(command: str) -> None:
    with HubEngine([command, "hub"], variant="international") as engine:
        assert engine.name.startswith("pdn")
        analysis = engine.analyse(pdn.Board(), Limit(nodes=1000))
        assert analysis.best_move in pdn.Board().legal_moves
    with pytest.raises(pdn.EngineError):
        engine.analyse(pdn.Board(), Limit(nodes=1000))
    with pytest.raises(pdn.EngineError):
        HubEngine("/no/such/engine hub")


def test_best_lines_and_variations_are_those_of_the_command_line(tmp_path: Path, command: str) -> None:
    path = tmp_path / "games.pdn"
    path.write_text('[GameType "20"]\n1. 32-28 {[%eval 0.10]} (1. 31-27 19-23) 19-23 2. 28x19 14x23 (2... 13x24) *\n')
    for _ in range(2):
        options = ["annotate", "--nodes", "50", "--multipv", "3", "--variations", "--no-config", str(path)]
        rows = subprocess.run([command, *options, "--to", "jsonl"], capture_output=True, text=True, check=True).stdout
        text = subprocess.run([command, *options], capture_output=True, text=True, check=True).stdout
        (game,) = pdn.annotate(pdn.read_games(path), Limit(nodes=50), multipv=3, variations=True)
        assert game.to_json() + "\n" == rows and game.to_pdn() == text
        first = game.main_line[0].annotation
        assert first is not None and len(first.lines) == 3 and first.lines[0].evaluation == first.best_evaluation
        # What an earlier run added is replaced.
        path.write_text(text)
    with pytest.raises(ValueError):
        pdn.annotate([], Limit(nodes=1), multipv=0)


def test_databases_are_named_with_the_annotator(tmp_path: Path, command: str) -> None:
    build = ["egdb", "build", "--variant", "english", "--pieces", "2", "--no-config", "--egdb", str(tmp_path)]
    subprocess.run([command, *build], capture_output=True, check=True)
    text = b'[GameType "21"][SetUp "1"][FEN "W:W22:B18"]\n1. 22x15 *'
    (game,) = pdn.annotate(pdn.read_games(text), Limit(nodes=10), egdb=tmp_path)
    assert "egdb english 2" in game.to_pdn()


def test_annotations_are_those_of_the_command_line(samples: Path, command: str) -> None:
    path = str(samples / "games/italian.pdn")
    options = ["annotate", "--nodes", "300", "--no-config", path]
    rows = subprocess.run([command, *options, "--to", "jsonl"], capture_output=True, text=True, check=False).stdout
    text = subprocess.run([command, *options], capture_output=True, text=True, check=False).stdout
    games = list(pdn.annotate(pdn.read_games(path), Limit(nodes=300)))
    assert "".join(game.to_json() + "\n" for game in games) == rows
    assert "\n".join(game.to_pdn() for game in games) == text
    for game, row in zip(games, map(json.loads, rows.splitlines()), strict=True):
        found = [node.annotation.judgement for node in game.main_line if node.annotation]
        assert found == [move["judgement"] for move in row["moves"] if "judgement" in move]
        assert game.accuracy(pdn.WHITE) == row["accuracy"]["W"]
        # The record of an annotated game says the same.
        (again,) = pdn.read_games(game.to_pdn().encode())
        assert again.accuracy(pdn.WHITE) == row["accuracy"]["W"]
        assert again.to_dict()["phases"] == row["phases"]


def test_annotated_games_keep_their_order_and_may_be_left(samples: Path) -> None:
    games = pdn.read_games(samples / "games")
    numbers = [(game.file, game.number) for game in pdn.read_games(samples / "games")]
    annotated = pdn.annotate(games, Limit(nodes=20), jobs=3)
    assert [(game.file, game.number) for game in annotated] == numbers
    endless = pdn.annotate((next(pdn.read_games(samples / "games/italian.pdn")) for _ in iter(int, 1)), Limit(time=5))
    del endless


def test_errors_of_the_games_pass_through() -> None:
    def broken() -> object:
        raise RuntimeError("no games")
        yield

    with pytest.raises(RuntimeError, match="no games"):
        next(pdn.annotate(broken(), Limit(nodes=1)))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        next(pdn.annotate([3], Limit(nodes=1)))  # type: ignore[list-item]


def test_databases() -> None:
    databases = pdn.egdb.Databases()
    board = pdn.Board("W:WKc1,Ke1,Ka1:BKh8", variant="russian")
    probe = databases.probe(board)
    assert probe is not None and probe.value == "win"
    moves = databases.probe_moves(board)
    assert [move for move, _ in moves] == board.legal_moves
    assert any(after is not None and after.value == "win" for _, after in moves)
    assert databases.probe(pdn.Board()) is None
    with pytest.raises(OSError):
        pdn.egdb.Databases("/no/such/folder")


def test_clocks_are_limits() -> None:
    clocks = Limit(white_clock=60, black_clock=0.2, white_inc=1, black_inc=0, remaining_moves=40)
    assert pickle.loads(pickle.dumps(clocks)) == clocks and clocks.white_clock == 60
    board = pdn.Board()
    board.push("32-28")
    assert Engine().play(board, clocks).move in board.legal_moves
    wrong: list[dict[str, float]] = [
        {"white_clock": 60},
        {"white_inc": 1},
        {"white_clock": -1, "black_clock": 1},
        {"white_clock": 1, "black_clock": float("nan")},
        {"nodes": 5, "remaining_moves": 3},
    ]
    for options in wrong:
        with pytest.raises(pdn.ArgumentError):
            Limit(**options)  # type: ignore[arg-type]
    with pytest.raises(pdn.ArgumentError, match="clocks are for one game"):
        pdn.annotate([], clocks)


def test_root_moves_and_infos(command: str) -> None:
    board = pdn.Board("W:W27,28:B18,22", variant="international")
    with HubEngine([command, "hub"]) as hub:
        for engine in (Engine(), hub):
            infos: list[Analysis] = []
            every = [str(line.moves[0]) for line in engine.analyse(board, Limit(depth=3), multipv=9).lines]
            assert sorted(every) == sorted(map(str, board.legal_moves))
            worst = every[-1]
            found = engine.analyse(board, Limit(depth=3), root_moves=[worst], info=infos.append)
            assert str(found.best_move) == worst and len(infos) > 0
            assert str(engine.play(board, Limit(depth=3), root_moves=[board.parse_move(worst)]).move) == worst
            with pytest.raises(pdn.IllegalMoveError):
                engine.analyse(board, Limit(nodes=1), root_moves=["27-28"])
            with pytest.raises(pdn.ArgumentError):
                engine.play(board, Limit(nodes=1), root_moves=[])
            with pytest.raises(ZeroDivisionError):
                engine.analyse(board, Limit(depth=3), info=lambda _: 1 // 0)


def test_an_analysis_in_the_background_is_stopped(command: str) -> None:
    board = pdn.Board()
    with HubEngine([command, "hub"]) as hub:
        for engine in (Engine(), hub):
            with engine.analysis(board) as analysis:
                depths = []
                for info in analysis:
                    depths.append(info.depth)
                    if info.depth >= 5:
                        break
            assert analysis.wait().best_move in board.legal_moves and depths == sorted(depths)
            assert list(engine.analysis(board, Limit(depth=2)))[-1].depth == 2
            running = engine.analysis(board)
            # No other search would ever begin.
            next(running)
            for refused in (
                lambda: engine.analysis(board),
                lambda: engine.analyse(board, Limit(nodes=10)),
                lambda: engine.play(board, Limit(nodes=10)),
                engine.new_game,
            ):
                with pytest.raises(pdn.EngineError, match="without a limit; stop that analysis first"):
                    refused()
            engine.stop()
            waiting = engine.analysis(board, Limit(depth=2))
            assert running.wait().depth > 0 and waiting.wait().depth > 0
            engine.new_game()
            # Another thread stops a search that would never end.
            done = threading.Event()
            found: list[Analysis] = []
            whole = Limit(time=600)
            thread = threading.Thread(target=lambda: found.append(engine.analyse(board, whole, info=lambda _: done.set())))
            thread.start()
            done.wait()
            # The board is free meanwhile.
            board.push(board.legal_moves[0])
            board.pop()
            engine.stop()
            thread.join()
            assert found[0].best_move in board.legal_moves


def test_engines_play_games(command: str) -> None:
    board = pdn.Board(variant="russian")
    with HubEngine([command, "hub"], variant="russian", parameters={"threads": 1, "hash": 4, "ponder": False}) as hub:
        players: list[Engine | HubEngine] = [Engine("russian"), hub]
        while board.ply() < 12:
            result = players[board.ply() % 2].play(board, Limit(nodes=50))
            assert result.info.best_move == result.move
            board.push(result.move)
    over = pdn.Board("B:W28:B")
    with pytest.raises(pdn.ArgumentError, match="the game is over"):
        Engine().play(over, Limit(nodes=1))
    with pytest.raises(pdn.EngineError, match="no parameter `potato`; it has variant, threads"):
        HubEngine([command, "hub"], parameters=MappingProxyType({"potato": 1}))
    with pytest.raises(pdn.EngineError):
        next(pdn.annotate(pdn.read_games(b"1. 32-28 19-23 *"), Limit(nodes=1), engine="no-such-engine"))


def test_a_hub_engine_that_fails_is_closed(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'hub\\n': print('wait', flush=True)\n"
        "    if line == 'init\\n': print('ready', flush=True)\n"
        "    if line.startswith('go'): print('done move=1-2', flush=True)\n"
    )
    with HubEngine([sys.executable, str(program)]) as engine:
        for reason in ("illegal move: `1-2`", "the engine was closed"):
            with pytest.raises(pdn.EngineError, match=reason):
                engine.play(pdn.Board(), Limit(nodes=1))


def test_matches_are_those_of_the_command_line(tmp_path: Path, command: str) -> None:
    players = ("builtin:nodes=60,hash=1", "builtin:nodes=25,hash=1")
    arguments = ["match", *players, "--games", "4", "--variant", "italian", "--max-plies", "60", "--no-config"]
    file = tmp_path / "games.pdn"
    text = subprocess.run([command, *arguments, "-o", str(file)], capture_output=True, text=True, check=True).stdout
    match = engines.match(*players, variant="italian", games=4, max_plies=60)
    games = [game.to_pdn() for game in match]
    assert games == [game.to_pdn() for game in pdn.read_games(file)]
    score = match.score
    assert f"4 games: +{score.wins} ={score.draws} -{score.losses}" in text
    assert len(list(engines.match(*players, variant="english", games=2, nodes=10))) == 2
    for options in ({"games": 0}, {"clock": "0"}, {"random_plies": 101}, {"engine_timeout": 0}):
        with pytest.raises(pdn.ArgumentError, match=f"option `{next(iter(options))}`"):
            engines.match(*players, **options)
    with pytest.raises(pdn.EngineError, match="cannot play"):
        list(engines.match("builtin", "/no/such/engine hub", games=2, nodes=10))
    with pytest.raises(pdn.ArgumentError):
        engines.match("builtin:potato=1", "builtin")
