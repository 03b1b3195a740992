"""cshogi and python-shogi as readers and writers of games; see readers.mjs for what is printed.

    python readers.py read READER FORMAT FOLDER
    python readers.py write WRITER FORMAT GAMES FOLDER
"""

import json
import os
import sys

import cshogi
import cshogi.CSA
import cshogi.KI2
import cshogi.KIF
import shogi
import shogi.CSA
import shogi.KIF

START = shogi.STARTING_SFEN
REASONS = {
    "%TORYO": "resignation",
    "%TSUMI": "checkmate",
    "%TIME_UP": "time-up",
    "%ILLEGAL_MOVE": "illegal-move",
    "%+ILLEGAL_ACTION": "illegal-move",
    "%-ILLEGAL_ACTION": "illegal-move",
    "%KACHI": "declaration",
    "%SENNICHITE": "repetition",
    "%JISHOGI": "impasse",
    "%HIKIWAKE": "impasse",
    "%CHUDAN": "interrupted",
}
WINNERS = {cshogi.BLACK_WIN: "b", cshogi.WHITE_WIN: "w", cshogi.DRAW: "d", None: "?"}


def read_cshogi(kind, path):
    if kind == "usi":
        board = cshogi.Board()
        with open(path, encoding="utf-8") as file:
            board.set_position(file.read().strip())
        moves = [cshogi.move_to_usi(move) for move in board.history]
        while board.history:
            board.pop()
        return {"start": board.sfen(), "moves": moves, "winner": "?"}
    if kind == "csa":
        game = cshogi.CSA.Parser.parse_file(path, encoding="utf-8")[0]
        # A draw is also what it makes of every end that it does not know: the word decides.
        draws = ("%SENNICHITE", "%JISHOGI", "%HIKIWAKE", "%MAX_MOVES")
        winner = WINNERS[game.win]
        if game.endgame == "%TSUMI":
            winner = "bw"[(len(game.moves) + (game.sfen.split()[1] == "b")) % 2]
        elif winner == "d" and game.endgame not in draws:
            winner = "?"
    else:
        if kind == "kif":
            game = cshogi.KIF.Parser.parse_file(path)
        else:
            # It loses its place in a line of several moves: one a line, as it writes them itself.
            with open(path, encoding="cp932") as file:
                text = file.read().replace(" ▲", "\n▲").replace(" △", "\n△")
            game = cshogi.KI2.Parser.parse_str(text)
        winner = WINNERS[game.win]
    moves = [cshogi.move_to_usi(move) for move in game.moves]
    found = {"start": game.sfen, "moves": moves, "winner": winner}
    if kind == "csa":
        found["reason"] = REASONS.get(game.endgame, "")
    return found


def read_python_shogi(kind, path):
    if kind == "usi":
        with open(path, encoding="utf-8") as file:
            start, _, moves = file.read().strip().partition(" moves ")
        start = START if start == "startpos" else start.removeprefix("sfen ")
        board = shogi.Board(start)
        for move in moves.split():
            if shogi.Move.from_usi(move) not in board.legal_moves:
                raise ValueError(f"illegal move {move}")
            board.push_usi(move)
        return {"start": start, "moves": moves.split(), "winner": "?"}
    if kind == "kif":
        found = shogi.KIF.Parser.parse_file(path)
        if found is None:
            raise ValueError("the parser found no game")
        game = found[0]
    else:
        with open(path, encoding="utf-8") as file:
            game = shogi.CSA.Parser.parse_str(file.read())[0]
    winner = {"b": "b", "w": "w", "-": "d", None: "?"}[game["win"]]
    return {"start": game["sfen"], "moves": game["moves"], "winner": winner}


def read(reader, kind, folder):
    one = read_cshogi if reader == "cshogi" else read_python_shogi
    for name in sorted(os.listdir(folder)):
        found = {"file": name.split(".")[0]}
        try:
            game = one(kind, os.path.join(folder, name))
            found.update(game, moves=" ".join(game["moves"]))
        except Exception as error:  # Whatever it is, the game was not read.
            found["error"] = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps(found, ensure_ascii=False))


def rows(games):
    with open(games, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines()[1:], 1):
            date, event, black, white, winner, reason, game = line.split("\t")
            start, _, moves = game.partition(" moves ")
            start = START if start == "startpos" else start.removeprefix("sfen ")
            yield number, black, white, winner, reason, start, moves.split()


def to_move(start, moves):
    return "b" if (start.split()[1] == "b") == (len(moves) % 2 == 0) else "w"


def csa_end(winner, reason, side):
    """The statement for an end, if there is one."""
    loses = {
        "resignation": "%TORYO", "": "%TORYO", "checkmate": "%TSUMI", "time-up": "%TIME_UP",
        "illegal-move": "%ILLEGAL_MOVE", "perpetual-check": "%ILLEGAL_MOVE",
    }
    draws = {"repetition": "%SENNICHITE", "impasse": "%JISHOGI", "": "%HIKIWAKE",
             "move-limit": "%MAX_MOVES"}
    if winner == "d":
        return draws.get(reason)
    if winner == "?":
        return "%CHUDAN" if reason == "interrupted" else None
    if winner != side:
        return loses.get(reason)
    if reason in ("illegal-move", "perpetual-check"):
        return "%+ILLEGAL_ACTION" if winner == "w" else "%-ILLEGAL_ACTION"
    return "%KACHI" if reason == "declaration" else None


def write(writer, kind, games, folder):
    os.makedirs(folder, exist_ok=True)
    for number, black, white, winner, reason, start, moves in rows(games):
        end = csa_end(winner, reason, to_move(start, moves))
        path = os.path.join(folder, f"{number:06}.{kind}")
        if writer == "python-shogi":
            # It writes KIF of even games that were resigned.
            if start == START and end == "%TORYO":
                summary = {"names": [black, white], "sfen": start, "moves": moves, "win": winner}
                with open(path, "w", encoding="cp932", newline="") as file:
                    file.write(shogi.KIF.Exporter.kif(summary))
            continue
        board = cshogi.Board(start)
        if kind == "csa":
            out = cshogi.CSA.Exporter(path, encoding="utf-8")
            out.info(init_board=board, names=[black, white], version="V2.2")
        else:
            # It has words for these ends only, and KI2 for even games only.
            words = {"%TORYO": "resign", "%KACHI": "win", "%JISHOGI": "draw",
                     "%SENNICHITE": "sennichite", "%ILLEGAL_MOVE": "illegal_lose"}
            if kind == "ki2":
                words = {key: key for key in ("%TORYO", "%KACHI", "%JISHOGI", "%SENNICHITE")}
            if end not in words or (kind == "ki2" and start != START):
                continue
            exporter = cshogi.KIF.Exporter if kind == "kif" else cshogi.KI2.Exporter
            out = exporter(path)
            if kind == "kif":
                out.header([black, white], handicap=None if start == START else board)
            else:
                out.header([black, white])
        for text in moves:
            move = board.move_from_usi(text)
            out.move(move)
            board.push(move)
        if kind == "csa":
            if end:
                out.endgame(end)
        else:
            out.end(words[end])
        out.close()


if __name__ == "__main__":
    {"read": read, "write": write}[sys.argv[1]](*sys.argv[2:])
