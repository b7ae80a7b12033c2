/// <reference types="node" />
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { foldsOf, piecesOf } from "../page/notation.ts";
import { readLink, readLogLink } from "../page/share.ts";
import { handAt, neighbour, stopsOf } from "../page/strip.ts";

const pieces = (line: string) => piecesOf(line).map(({ from, to, is }) => `${is}:${line.slice(from, to)}`).join(" ");
const LOG = ['[Rules "500-rummy"]', '[Players "Ann, Bob"]', "", "hand 1 dealer Bob", "deal Ann 5h 6h", "1. Ann: draw 4s; discard Ks", "2. Bob: draw ?; discard 2c", "score Ann 5, Bob 6", "", "hand 2", "1. Bob: draw; discard 3c", "Ann: rummy 3c; lay 3c m1", "end", "score Ann 1, Bob 2"];

describe("the colours of a line", () => {
  const cases: [string, string][] = [
    ["3. Cy: take 6c; discard Tc # why", "number:3. name:Cy sign:: keyword:take black:6c sign:; keyword:discard black:Tc comment:# why"],
    ["Ann: lay 8h m1", "name:Ann sign:: keyword:lay red:8h meld:m1"],
    ["deal Bob ?*7", "keyword:deal text:Bob wild:?*7"],
    ['[Players "Ann, Bob"]', 'header:[Players  string:"Ann, Bob" header:]'],
    ["score Ann -7, Bob 65", "keyword:score text:Ann number:-7 sign:, text:Bob number:65"],
    ["meld Jk=9h 10d", "keyword:meld wild:Jk=9h red:10d"],
    ["# all of it", "comment:# all of it"],
    ["", ""],
  ];
  for (const [line, expected] of cases) it(line || "nothing", () => assert.equal(pieces(line), expected));
  it("covers any text without overlapping, and ends", () => {
    for (let code = 0; code < 400; code += 1) {
      const line = Array.from({ length: 12 }, (_, at) => String.fromCodePoint(32 + ((code * 37 + at * 101) % 9000))).join("");
      let last = 0;
      for (const { from, to } of piecesOf(line)) {
        assert.ok(from >= last && to > from, line);
        last = to;
      }
    }
  });
});

describe("the strip", () => {
  const { stops, hands } = stopsOf(LOG);
  it("leads to turns, calls and scores", () => assert.deepEqual(stops.map(({ line, label }) => [line, label]), [[6, "1"], [7, "2"], [8, "Score"], [11, "1"], [12, "·"], [14, "Score"]]));
  it("knows the hands", () => {
    assert.deepEqual(hands, [{ line: 4, label: "Hand 1" }, { line: 10, label: "Hand 2" }]);
    assert.deepEqual([1, 4, 9, 10, 14].map((line) => handAt(hands, line)), [0, 1, 1, 2, 2]);
  });
  it("counts the turns where none has a number, whatever the players are called", () => {
    const { stops: bare } = stopsOf(['[Players "0, Ann"]', "hand 1", '"0": draw ?; discard Kd', "Ann: draw ?; discard 9h"]);
    assert.deepEqual(bare.map(({ line, label, about }) => [line, label, about]), [[3, "1", "Turn 1, 0"], [4, "2", "Turn 2, Ann"]]);
  });
  it("goes from one to the next", () => {
    assert.equal(neighbour(LOG, 1, 1), 6);
    assert.equal(neighbour(LOG, 8, 1), 11);
    assert.equal(neighbour(LOG, 11, -1), 8);
    assert.equal(neighbour(LOG, 14, 1), 14);
  });
});

it("headers and hands can be folded", () => assert.deepEqual(foldsOf(LOG), [{ from: 1, to: 2 }, { from: 4, to: 8 }, { from: 10, to: 14 }]));

describe("a link", () => {
  const position = { hands: { Ann: "4d" }, pile: "6s" };
  it("holds a position and a question", () => assert.deepEqual(readLink(JSON.stringify({ position, text: "May Ann take it?" })), { position, text: "May Ann take it?", since: [], rules: "" }));
  it("holds moves and rules, and nothing else in their place", () => {
    assert.deepEqual(readLink(JSON.stringify({ position, since: ["draw", 3], rules: { text: "id: x", more: 1 } })), { position, text: "", since: ["draw"], rules: { text: "id: x" } });
    assert.deepEqual(readLink(JSON.stringify({ position, since: "draw", rules: [1] })), { position, text: "", since: [], rules: "" });
  });
  it("holds a log", () => assert.deepEqual([readLogLink('{"log": "up 6c"}'), readLogLink('{"log": 3}'), readLogLink("12")], ["up 6c", null, null]));
  const bad = ["", "draw.deep.must", "{", "[]", '{"position": 7}', '{"position": []}', `{"position": {"a": "${"x".repeat(30_000)}"}}`];
  for (const text of bad) it(`is none: ${text.slice(0, 30)}`, () => assert.equal(readLink(text), null));
});
