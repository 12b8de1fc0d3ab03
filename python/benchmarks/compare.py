"""Games read and replayed and legal moves a second, beside other packages: python compare.py FILE [FOLDER]

FILE holds International games; those that are legal and without errors are used. The folder has packages that others may not be mixed with, each
installed by `pip install --target FOLDER/NAME NAME`, as two of them are modules of one name. Each package runs in a process of its
own on one thread, for some seconds of processor time, over the same games and positions.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pdn

# Each defines `replay(game)`, of a game as PDN and as a list of moves, and `position(fen)` and `legal(position)`; the latter
# returns the number of moves.
PROGRAMS = {
    "pdn": """
import pdn
def replay(text, moves):
    game, = pdn.read_games(text, jobs=1)
    return game.end()
def position(fen): return pdn.Board(fen)
def legal(board): return len(board.legal_moves)
""",
    "py-draughts": """
import draughts
def replay(text, moves): return draughts.Board.from_pdn(text.decode())
def position(fen): return draughts.Board.from_fen(fen)
def legal(board): return len(board.legal_moves)
""",
    "pydraughts": """
from draughts import Board, Move
from draughts.PDN import PDNReader
def replay(text, moves):
    board = Board()
    for move in PDNReader(pdn_text=text.decode()).games[0].moves:
        board.push(Move(board, pdn_move=move))
def position(fen): return Board(fen=fen)
def legal(board): return len(board.legal_moves())
""",
    "dame-rs": """
import dame
def replay(text, moves):
    board = dame.Board()
    for move in moves:
        board.push(move)
def position(fen): return dame.Board(fen)
def legal(board): return len(board.legal_moves)
""",
}

TIMING = """
import json, sys, time
data = json.load(open(sys.argv[1]))
def rate(items, work, seconds=5.0):
    done = units = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds and done < len(items):
        units += work(items[done]) or 1
        done += 1
    return units / max(spent, 1e-9), done
games, n = rate([(text.encode(), moves) for text, moves in data["games"]], lambda game: replay(*game) and 1)
positions = [position(fen) for fen in data["positions"][:int(sys.argv[2])]]
moves, m = rate(positions, legal)
print(json.dumps([games, n, moves, m]))
"""


def sample(path: str, repeat: int) -> dict[str, object]:
    games, positions = [], []
    for game in pdn.read_games(path, variant="international"):
        starts = game.board() == pdn.Board()
        if starts and game.is_legal and not game.has_errors and game.plies:
            games.append([game.fmt(), [str(node.move) for node in game.main_line]])
            positions += [board.fen() for board in game.positions() if not board.is_game_over()]
    return {"games": games * repeat, "positions": positions}


def main() -> None:
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path()
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "sample.json"
        data = sample(sys.argv[1], 50)
        file.write_text(json.dumps(data))
        for name, program in PROGRAMS.items():
            paths = os.pathsep.join([str(folder / name), os.environ.get("PYTHONPATH", "")])
            limit = "1000" if name == "pydraughts" else "1000000"
            command = [sys.executable, "-c", program + TIMING, str(file), limit]
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths}, check=False)
            if done.returncode:
                print(f"{name:12} not measured: {done.stderr.strip().splitlines()[-1]}")
                continue
            games, n, moves, m = json.loads(done.stdout)
            print(f"{name:12} {games:10.0f} games/s ({n} games) {moves:12.0f} legal moves/s ({m} positions)", flush=True)


if __name__ == "__main__":
    main()
