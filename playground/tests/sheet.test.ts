/// <reference types="node" />
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drawChart } from "../page/chart.ts";
import { type Value, tapped, totalOf } from "../page/counted.ts";
import { eveningsOf, placesOver, playedOf, recordsOf, totalsOver } from "../page/evenings.ts";
import { NOTHING, asTyped, csvOf, dealerOf, newGame, pointsOf, press, putAway, readBook, standingOf, totalsOf, troubleWith, winnerOf, withNames } from "../page/sheet.ts";

const game = { ...newGame(["Ann", "Bob", "Cy"], 500, false, "2026-11-28"), hands: [[73, 19, 36], [60, 13, -38], [163, 77, 76]] };
const typed = (keys: string) => [...keys].reduce((now, key) => press(now, key === "-" ? "sign" : key === "<" ? "erase" : key), NOTHING);

describe("a score sheet", () => {
  it("adds hands up", () => {
    assert.deepEqual(totalsOf(game), [296, 109, 74]);
    assert.deepEqual(totalsOf(game, 1), [73, 19, 36]);
  });
  it("is won by the one highest total at the target, and goes on where two share it", () => {
    assert.equal(winnerOf(game), null);
    assert.equal(winnerOf({ ...game, hands: [[500, 20, 10]] }), 0);
    const level = { ...game, hands: [[510, 510, 10]] };
    assert.equal(winnerOf(level), null);
    assert.deepEqual(standingOf(level).leaders, [0, 1]);
    assert.ok(standingOf(level).over);
  });
  it("is won by the lowest total where that wins, once anybody has reached the target", () => {
    assert.equal(winnerOf({ ...game, lowest: true, hands: [[500, 20, 10]] }), 2);
    assert.equal(winnerOf({ ...game, lowest: true, hands: [[90, 20, 10]] }), null);
  });
  it("lets the deal go round", () => {
    assert.deepEqual([0, 1, 2, 3].map((hand) => dealerOf({ ...game, dealer: 2 }, hand)), ["Cy", "Ann", "Bob", "Cy"]);
  });
  it("keeps the points of those who stay when somebody leaves or comes", () => {
    const later = withNames(game, ["Cy", "Dee", "Ann"], [2, null, 0]);
    assert.deepEqual(later.hands[0], [36, null, 73]);
    assert.deepEqual(totalsOf(later), [74, 0, 296]);
  });
  it("does not take two players of one name", () => {
    assert.match(troubleWith(["Ann", "Ann"]), /Ann/);
    assert.equal(troubleWith(["Ann", "Bob"]), "");
  });
  it("is written as CSV that no spreadsheet takes for a formula", () => {
    const odd = { ...game, names: ['=HYPERLINK("x")', 'Bo, "B"', "Cy"], hands: [[1, null, -38]] };
    assert.equal(csvOf(odd), 'Hand,"\'=HYPERLINK(""x"")","Bo, ""B""",Cy\r\n1,1,-,-38\r\nTotal,1,0,-38\r\n');
  });
});

describe("the keypad", () => {
  const cases: [string, number][] = [["77", 77], ["-38", -38], ["38-", -38], ["7-7-", 77], ["12<", 1], ["5<", 0], ["-5<7", -7], ["", 0], ["1234567", 12345], ["007", 7]];
  for (const [keys, points] of cases) it(`makes ${points} of ${keys || "nothing"}`, () => assert.equal(pointsOf(typed(keys)), points));
  it("goes on with points that were there", () => assert.equal(pointsOf(press(asTyped(-38), "4")), -384));
});

describe("what the device keeps", () => {
  const book = { game, playing: true, past: [game] };
  it("is read as it was written", () => assert.deepEqual(readBook(JSON.stringify(book)), book));
  const broken: (string | null)[] = [null, "", "{", "[]", "7", '{"game": {"names": "Ann"}}', JSON.stringify({ game: { ...game, hands: [[1, 2]] }, past: [7, { ...game, names: ["Ann"] }] })];
  for (const text of broken) it(`is left out where it is none: ${text}`, () => assert.deepEqual(readBook(text), { game: null, playing: false, past: [] }));
  it("keeps a game that is over, and none without hands", () => {
    assert.equal(putAway({ game, playing: true, past: [] }).past.length, 1);
    assert.equal(putAway({ game: { ...game, hands: [] }, playing: true, past: [] }).past.length, 0);
  });
});

describe("standings", () => {
  const earlier = { ...game, begun: "2026-11-21", hands: [[10, 600, 20]] };
  const evenings = eveningsOf([game, earlier].map(playedOf));
  it("go by evenings, the earliest first", () => assert.deepEqual(evenings.map(({ day }) => day), ["2026-11-21", "2026-11-28"]));
  it("have who won more games first, then who has more points", () => {
    assert.deepEqual(recordsOf(evenings.flatMap(({ games }) => games)).map(({ name, wins, points }) => [name, wins, points]), [["Bob", 1, 709], ["Ann", 0, 306], ["Cy", 0, 94]]);
  });
  it("show places after each evening, none for who has not played yet", () => {
    const late = { ...game, begun: "2026-11-29", names: ["Dee", "Bob"], hands: [[600, 1]] };
    const places = placesOver(eveningsOf([game, earlier, late].map(playedOf)));
    assert.deepEqual(places.find(({ name }) => name === "Dee")!.values, [null, null, 2]);
    assert.deepEqual(places.find(({ name }) => name === "Bob")!.values, [1, 1, 1]);
  });
  it("add the hands of an evening up through all of its games", () => {
    const [ann] = totalsOver([game, game].map(playedOf));
    assert.deepEqual(ann!.values, [0, 73, 133, 296, 369, 429, 592]);
  });
});

describe("a chart", () => {
  const chart = { about: "Totals", lines: [{ name: "<Ann>", colour: 0, values: [0, 73, null] }], labels: ["", "1", "2"], goal: 500, width: 390, height: 170 };
  it("writes names as they are, not as markup", () => {
    const svg = drawChart(chart);
    assert.ok(!svg.includes("<Ann>"));
    assert.match(svg, /&#60;Ann&#62; 73/);
  });
  it("stays within its frame, whatever the numbers", () => {
    for (const values of [[0, 0], [0, -400, 9999], [0, 1, 1, 1]]) {
      const svg = drawChart({ ...chart, lines: [{ name: "Ann", colour: 0, values }] });
      for (const [, y] of svg.matchAll(/c?y[12]?="([-\d.]+)"/g)) assert.ok(Number(y) >= 0 && Number(y) <= 170, svg);
      assert.ok(!svg.includes("NaN"));
    }
  });
});

describe("counting by tapping", () => {
  const cards: Value[] = [{ card: "As", copies: 1, laid: [15, 1], held: -15 }, { card: "Jk", copies: 2, laid: [15], held: -15 }];
  it("counts a card, counts it otherwise, and lets it go", () => {
    const first = tapped(cards[0]!, undefined, "laid");
    const second = tapped(cards[0]!, first, "laid");
    assert.deepEqual([first, second, tapped(cards[0]!, second, "laid")], [{ place: "laid", as: 0 }, { place: "laid", as: 1 }, undefined]);
    assert.equal(totalOf(cards, new Map([["As 0", second!]])), 1);
  });
  it("takes a card from the table into the hand", () => {
    assert.deepEqual(tapped(cards[0]!, { place: "laid", as: 1 }, "held"), { place: "held" });
  });
  it("counts each of several jokers", () => {
    assert.equal(totalOf(cards, new Map([["Jk 0", { place: "laid", as: 0 }], ["Jk 1", { place: "held" }]])), 0);
    assert.equal(totalOf(cards, new Map([["Jk 0", { place: "held" }], ["Jk 1", { place: "held" }]])), -30);
  });
});
