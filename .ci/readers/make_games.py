"""Makes games.tsv: 65 games that end in every way a game can end.

Games of the engine against itself (samples/games.tsv.zst, on standard input as text), some cut
short and given another end, and games of random moves at odds. Run once; the result is kept:

    zstd -dc samples/games.tsv.zst | python make_games.py > games.tsv
"""

import random
import sys

import shogi

ODDS = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "8k/9/7GP/9/9/9/9/9/K8 b R2b3g4s4n4l17p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
]
DATES = ["2003/05/03", "2003-05-03", "2003年5月3日 10:30", "2003-05-03T10:30:00Z", "", "1607", "昔"]
NAMES = [("先手の人", "後手の人"), ("tesuji", "Gote 2"), ("髙橋 一", "﨑田"), ("A: B", "C, D")]


def random_game(sfen, plies, seed):
    """Legal moves by chance, and none that ends the game."""
    board, chance, moves = shogi.Board(sfen), random.Random(seed), []
    while len(moves) < plies:
        legal = sorted(str(move) for move in board.legal_moves)
        if not legal:
            break
        move = chance.choice(legal)
        board.push_usi(move)
        moves.append(move)
    return moves


def main():
    rows = [line.rstrip("\n").split("\t") for line in sys.stdin if not line.startswith("#")]
    rows.sort(key=lambda row: len(row[6]))
    games = []

    def add(result, reason, game):
        games.append((result, reason, game))

    def take(result, reason, count):
        found = [row[6] for row in rows if (row[4], row[5]) == (result, reason)]
        step = max(1, len(found) // count)
        for game in found[::step][:count]:
            # The engines' scores ended these games out of turn; a player resigns in his own.
            plies = len(game.split()) - 2
            if reason == "resignation" and (result == "b") == (plies % 2 == 0):
                game = game.rsplit(" ", 1)[0]
            add(result, reason, game)

    take("b", "resignation", 5)
    take("w", "resignation", 5)
    take("b", "checkmate", 4)
    take("w", "checkmate", 4)
    take("d", "repetition", 4)
    take("d", "move-limit", 1)
    take("b", "declaration", 1)

    def cut(number, plies):
        start, moves = rows[100 + 7 * number][6].split(" moves ")
        return start + " moves " + " ".join(moves.split()[:plies])

    # After an even number of plies Black is to move, after an odd one White.
    number = 0
    for reason in ["time-up", "illegal-move", "perpetual-check", "resignation", ""]:
        for result, plies in [("w", 40), ("b", 41)]:
            add(result, reason, cut(number, plies))
            number += 1
    for reason in ["declaration", "illegal-move", "perpetual-check", "resignation"]:
        for result, plies in [("b", 50), ("w", 51)]:
            add(result, reason, cut(number, plies))
            number += 1
    for result, reason in [("d", "impasse"), ("d", "move-limit"), ("d", ""), ("?", "interrupted")]:
        for plies in (30, 31):
            add(result, reason, cut(number, plies))
            number += 1
    add("?", "", cut(number, 20))
    add("b", "forfeit", "startpos moves 7g7f")
    add("w", "forfeit", "startpos moves 7g7f 3c3d")
    for seed, sfen in enumerate(ODDS):
        plies = 12 if seed == 10 else 30 + seed % 2
        moves = random_game(sfen, plies, seed)
        black_to_move = (sfen.split()[1] == "b") == (len(moves) % 2 == 0)
        result = "w" if black_to_move else "b"
        add(result, "resignation", f"sfen {sfen} moves {' '.join(moves)}")
    print("#date\tevent\tblack\twhite\tresult\treason\tgame")
    for number, (result, reason, game) in enumerate(games):
        date, (black, white) = DATES[number % len(DATES)], NAMES[number % len(NAMES)]
        event = ["自己対局", "selfplay", ""][number % 3]
        print("\t".join([date, event, black, white, result, reason, game]))
    print(len(games), "games", file=sys.stderr)


main()
