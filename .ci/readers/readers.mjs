// tsshogi and json-kifu-format as readers and writers of games.
//
//   node readers.mjs read READER FORMAT FOLDER      each file as a line of JSON
//   node readers.mjs write READER FORMAT GAMES FOLDER  a file for each game that it can write
//
// A line of JSON has the name of the file, the start as SFEN, the moves in USI notation, the winner
// (b, w, d for a draw, ? for none) and the reason as the collection of the games calls it.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const require = createRequire(path.join(process.cwd(), "package.json"));
const T = require("tsshogi");
const J = require("json-kifu-format");

const other = (side) => (side === "b" ? "w" : "b");
const RANKS = "abcdefghi";

// What the player to move has, and the reason.
const SPECIALS = {
  TORYO: ["loses", "resignation"],
  TSUMI: ["loses", "checkmate"],
  TIME_UP: ["loses", "time-up"],
  ILLEGAL_MOVE: ["loses", "illegal-move"],
  KACHI: ["wins", "declaration"],
  SENNICHITE: ["d", "repetition"],
  JISHOGI: ["d", "impasse"],
  HIKIWAKE: ["d", "impasse"],
  CHUDAN: ["?", "interrupted"],
};

const TSSHOGI = {
  resign: SPECIALS.TORYO,
  mate: SPECIALS.TSUMI,
  timeout: SPECIALS.TIME_UP,
  foulLose: SPECIALS.ILLEGAL_MOVE,
  foulWin: ["wins", "illegal-move"],
  enteringOfKing: SPECIALS.KACHI,
  repetitionDraw: SPECIALS.SENNICHITE,
  impass: SPECIALS.JISHOGI,
  draw: SPECIALS.JISHOGI,
  interrupt: SPECIALS.CHUDAN,
  winByDefault: ["wins", "forfeit"],
  loseByDefault: ["loses", "forfeit"],
};

function resultOf(entry, side) {
  if (!entry) return ["?", ""];
  const [what, reason] = entry;
  return [what === "wins" ? side : what === "loses" ? other(side) : what, reason];
}

const toMove = (start, moves) =>
  (moves.length % 2 === 0) === (start.split(" ")[1] === "b") ? "b" : "w";

function decode(bytes, name) {
  const sjis = name.endsWith(".kif") || name.endsWith(".ki2");
  return new TextDecoder(sjis ? "shift_jis" : "utf-8", { fatal: true }).decode(bytes);
}

function readTsshogi(format, text) {
  const read = {
    kif: T.importKIF,
    ki2: T.importKI2,
    csa: T.importCSA,
    jkf: T.importJKFString,
    usi: (line) => T.Record.newByUSI(line.trim()),
  }[format];
  const record = read(text);
  if (record instanceof Error) throw record;
  const moves = [];
  let special;
  for (const node of record.moves.slice(1)) {
    if (node.move instanceof T.Move) moves.push(node.move.usi);
    else special = node.move.type;
  }
  const start = record.initialPosition.sfen;
  const [winner, reason] = resultOf(TSSHOGI[special], toMove(start, moves));
  return { start, moves, winner, reason };
}

function readJkf(format, text) {
  const parse = {
    kif: (t) => J.JKFPlayer.parseKIF(t),
    ki2: (t) => J.JKFPlayer.parseKI2(t),
    csa: (t) => J.JKFPlayer.parseCSA(t),
    jkf: (t) => J.JKFPlayer.parseJKF(t),
  }[format];
  const player = parse(text);
  const start = player.shogi.toSFENString(1);
  const moves = [];
  let special;
  const square = (place) => place.x + RANKS[place.y - 1];
  for (const { move, special: name } of player.kifu.moves) {
    if (name) special = name;
    if (!move) continue;
    const letter = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R" }[move.piece];
    const from = move.from ? square(move.from) : letter + "*";
    moves.push(from + square(move.to) + (move.promote ? "+" : ""));
  }
  const side = toMove(start, moves);
  // The sign is that of the player who broke the rules.
  const foul = { "+ILLEGAL_ACTION": "w", "-ILLEGAL_ACTION": "b" }[special];
  const [winner, reason] = foul ? [foul, "illegal-move"] : resultOf(SPECIALS[special], side);
  return { start, moves, winner, reason };
}

function read(reader, format, folder) {
  for (const name of fs.readdirSync(folder).sort()) {
    const file = name.split(".")[0];
    try {
      const text = decode(fs.readFileSync(path.join(folder, name)), name);
      const game = reader === "tsshogi" ? readTsshogi(format, text) : readJkf(format, text);
      console.log(JSON.stringify({ file, ...game, moves: game.moves.join(" ") }));
    } catch (error) {
      console.log(JSON.stringify({ file, error: String(error).slice(0, 200) }));
    }
  }
}

// The kinds of ends that tsshogi has, by reason, for the loser or the winner to move.
const KINDS = {
  resignation: "RESIGN", checkmate: "MATE", "time-up": "TIMEOUT", repetition: "REPETITION_DRAW",
  impasse: "IMPASS", "move-limit": "MAX_MOVES", interrupted: "INTERRUPT",
};

function kindOf(game, side) {
  const wins = game.winner === side;
  switch (game.reason) {
    case "illegal-move":
    case "perpetual-check":
      return wins ? "FOUL_WIN" : "FOUL_LOSE";
    case "declaration":
      return wins ? "ENTERING_OF_KING" : undefined;
    case "forfeit":
      return wins ? "WIN_BY_DEFAULT" : "LOSE_BY_DEFAULT";
    case "":
      return game.winner === "d" ? "DRAW" : game.winner === other(side) ? "RESIGN" : undefined;
    default:
      return wins ? undefined : KINDS[game.reason];
  }
}

function write(writer, format, games, folder) {
  const rows = fs.readFileSync(games, "utf-8").split("\n").slice(1).filter((row) => row);
  fs.mkdirSync(folder, { recursive: true });
  rows.forEach((row, index) => {
    const [date, event, black, white, winner, reason, text] = row.split("\t");
    const record = T.Record.newByUSI("position " + text);
    if (record instanceof Error) throw record;
    record.goto(Number.MAX_SAFE_INTEGER);
    const side = record.position.color === T.Color.BLACK ? "b" : "w";
    const kind = kindOf({ winner, reason }, side);
    if (kind) record.append(T.specialMove(T.SpecialMoveType[kind]));
    record.metadata.setStandardMetadata(T.RecordMetadataKey.BLACK_NAME, black);
    record.metadata.setStandardMetadata(T.RecordMetadataKey.WHITE_NAME, white);
    if (event) record.metadata.setStandardMetadata(T.RecordMetadataKey.TOURNAMENT, event);
    if (date) record.metadata.setStandardMetadata(T.RecordMetadataKey.START_DATETIME, date);
    let out = {
      kif: T.exportKIF, ki2: T.exportKI2, csa: T.exportCSA, jkf: T.exportJKFString,
      usi: (r) => r.getUSI({ startpos: true, resign: true, allMoves: true }) + "\n",
    }[format](record);
    if (writer === "json-kifu-format") {
      // It writes JKF alone, of games that it has read.
      out = JSON.stringify(J.JKFPlayer.parseKIF(T.exportKIF(record)).kifu);
    }
    const extension = { kif: "kifu", ki2: "ki2u" }[format] ?? format;
    const name = `${String(index + 1).padStart(6, "0")}.${extension}`;
    fs.writeFileSync(path.join(folder, name), out);
  });
}

const [command, ...rest] = process.argv.slice(2);
if (command === "read") read(...rest);
else write(...rest);
