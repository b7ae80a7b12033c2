// The drawings of the cards: nothing is missing, and nothing comes from elsewhere.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RANKS, SUITS, cardSymbols } from "../page/cards.ts";

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
