"""Do other programs read what tesuji writes, and tesuji what they write?

    python check.py TESUJI WORK-FOLDER

Every game of games.tsv goes through each format and each reader that knows the format, both ways.
Start, moves and result must come back: who won, and why as far as the format or the reader has
words for it. What a reader cannot do is listed in LIMITS, by name and with the reason; anything
else is a failure.
"""

import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NODE, PYTHON = ("tsshogi", "json-kifu-format"), ("cshogi", "python-shogi")
FORMATS = {
    "tsshogi": ("kif", "ki2", "csa", "jkf", "usi"),
    "json-kifu-format": ("kif", "ki2", "csa", "jkf"),
    "cshogi": ("kif", "ki2", "csa", "usi"),
    "python-shogi": ("kif", "csa", "usi"),
}
WRITES = {
    "tsshogi": ("kif", "ki2", "csa", "jkf", "usi"),
    "json-kifu-format": ("jkf",),
    "cshogi": ("kif", "ki2", "csa"),
    "python-shogi": ("kif",),
}

# What other programs call these ends, for want of a word.
CALLED = {"move-limit": "impasse", "perpetual-check": "illegal-move"}


def expected(game):
    """Winner and reason as other programs can know them."""
    reason = CALLED.get(game["reason"], game["reason"])
    if not reason:
        reason = {"d": "impasse", "?": ""}.get(game["winner"], "resignation")
    return game["winner"], reason


def out_of_turn(game):
    """Did the player who is not to move lose, in a way for which no format has a word?

    The winner comes through, and the reason stands in a comment.
    """
    return game["winner"] == game["to_move"] and game["reason"] in ("resignation", "time-up", "")


def limit(reader, kind, game):
    """Why this reader cannot know the result, or the game at all, in this format.

    The answer starts with `game` if not even the moves can be expected.
    """
    winner, reason = expected(game)
    to_move_wins = winner == game["to_move"]
    odd_start = game["start"] not in KNOWN_STARTS
    if kind == "usi":
        return "result: the format has none"
    if reader == "json-kifu-format" and reason in ("declaration", "forfeit"):
        if kind == "kif":
            return "result: it has no word for the end"
        if kind == "ki2" and to_move_wins:
            return "game: it has no sentence for the end"
    if reader == "tsshogi" and kind in ("csa", "jkf") and reason == "illegal-move":
        if to_move_wins:
            return "result: it takes the sign of ILLEGAL_ACTION for the winner"
    if reader == "python-shogi" and kind == "csa" and out_of_turn(game):
        return "result: it knows no such statement"
    if out_of_turn(game):
        return "reason: the format has no word for it"
    if kind in ("csa", "jkf") and reason == "forfeit":
        return "reason: the format has no name for it"
    if kind == "ki2" and reason in ("checkmate", "forfeit"):
        return "reason: the sentence names the winner"
    if reader == "cshogi":
        if odd_start and kind in ("kif", "ki2"):
            return "game: it reads no board diagram"
        if kind == "ki2" and reason == "time-up":
            return "result: it does not know the sentence"
    if reader == "python-shogi":
        if odd_start:
            return "game: it reads no board diagram, and no pieces in hand"
        if kind == "csa" and reason in ("checkmate", "declaration", "forfeit"):
            return "result: it knows no such statement"
        if winner == "?":
            return "result: it calls it a draw"
    return None


def no_word(writer, kind, game):
    """Why what this writer writes cannot have the result."""
    winner, reason = expected(game)
    if kind == "usi":
        return "result: the format has none but a resignation"
    if out_of_turn(game):
        return "result: it has no word for it"
    if reason == "forfeit" and kind in ("csa", "jkf"):
        return "result: the format has no name for it"
    if writer == "json-kifu-format" and reason == "declaration":
        return "result: it has no word for the end"
    if writer == "tsshogi" and kind in ("csa", "jkf") and reason == "illegal-move":
        if winner == game["to_move"]:
            return "result: it takes the sign of ILLEGAL_ACTION for the winner"
    if kind == "ki2" and reason in ("checkmate", "forfeit"):
        return "reason: the sentence names the winner"
    return None


STARTPOS = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
KNOWN_STARTS = {
    STARTPOS,
    *(f"{top}/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" for top in (
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9",
        "lnsgkgsnl/1r7/ppppppppp/9/9/9", "lnsgkgsnl/7b1/ppppppppp/9/9/9",
        "lnsgkgsn1/7b1/ppppppppp/9/9/9", "lnsgkgsnl/9/ppppppppp/9/9/9",
        "1nsgkgsn1/9/ppppppppp/9/9/9", "2sgkgs2/9/ppppppppp/9/9/9",
        "3gkg3/9/ppppppppp/9/9/9", "4k4/9/ppppppppp/9/9/9",
    )),
}


def table(path):
    games = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines()[1:], 1):
            *_, winner, reason, game = line.split("\t")
            start, _, moves = game.partition(" moves ")
            start = STARTPOS if start == "startpos" else start.removeprefix("sfen ")
            odd = len(moves.split()) % 2 == 1
            to_move = "b" if (start.split()[1] == "b") != odd else "w"
            games[f"{number:06}"] = {"start": start, "moves": moves, "winner": winner,
                                     "reason": reason, "to_move": to_move}
    return games


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def program(reader):
    if reader in NODE:
        return ["node", os.path.join(HERE, "readers.mjs")]
    return [sys.executable, os.path.join(HERE, "readers.py")]


def written_by_us(tesuji, kind, folder):
    """A file for each game; CSA and USI come as one, which not all readers take."""
    source = os.path.join(HERE, "games.tsv")
    if kind not in ("csa", "usi"):
        run(tesuji, "convert", source, "--to", kind, "-o", folder + "/")
        return
    text = run(tesuji, "convert", source, "--to", kind)
    games = text.split("\n/\n") if kind == "csa" else text.splitlines()
    os.makedirs(folder)
    for number, game in enumerate(games, 1):
        with open(f"{folder}/{number:06}.{kind}", "w", encoding="utf-8") as file:
            file.write(game.rstrip("\n") + "\n")


class Count:
    """How a reader did in a format."""

    def __init__(self, truth):
        self.truth = truth
        self.games = self.moves = self.results = self.beyond = 0
        self.wrong = []
        self.beyond_why = {}

    def compare(self, why, name, found):
        game = self.truth[name]
        self.games += 1
        same = ("start" not in found or same_start(found["start"], game["start"])) and \
            found.get("moves") == game["moves"]
        if not same:
            if why and why.startswith("game"):
                self.set_aside(why)
            else:
                self.wrong.append(f"{name}: {found.get('error', 'other moves')}")
            return
        self.moves += 1
        winner, reason = expected(game)
        right = found["winner"] == winner and (
            found.get("reason", reason) == reason or (why or "").startswith("reason"))
        if right:
            self.results += 1
        elif why and not why.startswith("reason"):
            self.set_aside(why)
        else:
            said = (found["winner"], found.get("reason"))
            self.wrong.append(f"{name}: {said} for {(winner, reason)}")

    def row(self, reader, kind, way):
        # A format without results can lose none.
        results = "–" if kind == "usi" else self.results
        beyond = "–" if kind == "usi" or not self.beyond else self.beyond
        counts = f"{self.games:5} {self.moves:6} {results:>7} {beyond:>10}"
        print(f"{reader:17} {kind:7} {way:18} {counts}")
        for why, count in sorted(self.beyond_why.items()):
            if kind != "usi":
                print(f"    {count} beyond it: {why}")
        for line in self.wrong[:5]:
            print(f"    WRONG {line}")

    def set_aside(self, why):
        self.beyond += 1
        self.beyond_why[why] = self.beyond_why.get(why, 0) + 1


def same_start(found, given):
    """Pieces in hand may stand in any order."""
    (board, side, hands), wanted = found.split()[:3], given.split()[:3]
    pieces = [sorted(re.findall(r"\d*[A-Za-z]", text)) for text in (hands, wanted[2])]
    return [board, side] == wanted[:2] and pieces[0] == pieces[1]


def we_write(tesuji, work, truth):
    good = True
    for kind in ("kif", "ki2", "csa", "jkf", "usi"):
        folder = os.path.join(work, "ours", kind)
        written_by_us(tesuji, kind, folder)
        for reader in FORMATS:
            if kind not in FORMATS[reader]:
                continue
            count = Count(truth)
            for line in run(*program(reader), "read", reader, kind, folder).splitlines():
                found = json.loads(line)
                name = found["file"]
                count.compare(limit(reader, kind, truth[name]), name, found)
            count.row(reader, kind, "tesuji → reader")
            good &= not count.wrong and count.games == len(truth)
    return good


def they_write(tesuji, work, truth):
    good = True
    for writer, kinds in WRITES.items():
        for kind in kinds:
            folder = os.path.join(work, "theirs", writer, kind)
            source = os.path.join(HERE, "games.tsv")
            run(*program(writer), "write", writer, kind, source, folder)
            count = Count(truth)
            for name in sorted(os.listdir(folder)):
                path = os.path.join(work, "back.tsv")
                ran = subprocess.run([tesuji, "convert", os.path.join(folder, name), "-o", path],
                                     capture_output=True, text=True, check=False)
                found = {"error": ran.stderr.strip()}
                if ran.returncode == 0:
                    game = table(path)["000001"]
                    winner, reason = expected(game)
                    found = {**game, "winner": winner, "reason": reason}
                name = name.split(".")[0]
                count.compare(no_word(writer, kind, truth[name]), name, found)
            count.row(writer, kind, "writer → tesuji")
            good &= not count.wrong and count.games > 0
    return good


def main():
    tesuji, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    for name in ("ours", "theirs"):
        shutil.rmtree(os.path.join(work, name), ignore_errors=True)
    os.makedirs(os.path.join(work, "ours"))
    os.chdir(work)
    truth = table(os.path.join(HERE, "games.tsv"))
    print(f"{'program':17} {'format':7} {'way':18} games  moves results  beyond it")
    good = we_write(tesuji, work, truth)
    good &= they_write(tesuji, work, truth)
    print("all as expected" if good else "some games did not come through")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
