// The drawings of the cards: nothing is missing, and nothing comes from elsewhere.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RANKS, SUITS, cardIn, cardSymbols } from "../page/cards.ts";

const named = (pattern: RegExp): Set<string> => new Set([...cardSymbols().matchAll(pattern)].map(([, name]) => name!));

describe("the drawings", () => {
  const ids = named(/\bid="([\w-]+)"/g);
  it("are there for every card, small and full", () => {
    const cards = [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), "Jk", "back", "unknown"];
    assert.deepEqual(cards.flatMap((card) => [`s-${card}`, `f-${card}`]).filter((id) => !ids.has(id)), []);
  });
  it("are made of what is there", () => assert.deepEqual([...named(/(?:href="|url\()#([\w-]+)/g)].filter((id) => !ids.has(id)), []));
  it("have each name once", () => assert.equal([...cardSymbols().matchAll(/\bid="/g)].length, ids.size));
});

describe("a card that is typed", () => {
  const cases: [string, string | null][] = [
    ["4c", "4c"], ["10C", "Tc"], ["k♠", "Ks"], ["joker", "Jk"], ["JK=q", "Jk=q"], ["Jk=10h", "Jk=Th"], ["?", "?"],
    ["x3", null], ["m2", null], ["1c", null], ["11c", null], ["", null],
  ];
  for (const [word, card] of cases) it(word || "nothing", () => assert.equal(cardIn(word), card));
});
