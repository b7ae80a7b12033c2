// A small referee that `meldref conformance` can ask: `meldref conformance --only verdict,hands,pile -- node referee.js`
//
// It knows one turn of 500 Rummy as it ships: draw or take, meld, discard, every card known and no joker. Whatever else
// it is asked, it skips. It reads a line of JSON and writes one, which is all that the protocol needs.
"use strict";

const RANKS = "A23456789TJQK";

class Skip extends Error {}
class Illegal extends Error {}

function cards(text) {
  const found = (text || "").split(/\s+/).filter(Boolean);
  if (!found.every((card) => /^[A23456789TJQK][cdhs]$/.test(card))) throw new Skip("cards that nobody saw, or jokers");
  return found;
}

const rank = (card) => RANKS.indexOf(card[0]);

function isGroup(meld) {
  const suits = new Set(meld.map((card) => card[1]));
  return meld.every((card) => card[0] === meld[0][0]) && suits.size === meld.length;
}

function isRun(meld) {
  if (meld.some((card) => card[1] !== meld[0][1])) return false;
  const follows = (ranks) => ranks.sort((a, b) => a - b).every((value, at) => at === 0 || value === ranks[at - 1] + 1);
  const low = meld.map(rank);
  return follows([...low]) || follows(low.map((value) => value || 13));
}

function without(hand, played) {
  const rest = [...hand];
  for (const card of played) {
    const at = rest.indexOf(card);
    if (at < 0) throw new Illegal(`${card} is not held`);
    rest.splice(at, 1);
  }
  return rest;
}

function draw(table, card) {
  if ([...Object.values(table.hands).flat(), ...table.pile].includes(card)) throw new Skip("a card that is elsewhere");
  table.hand.push(card);
}

function take(table, card) {
  const at = table.pile.lastIndexOf(card);
  if (at < 0) throw new Illegal("it is not in the pile");
  const taken = table.pile.splice(at);
  table.hand.push(...taken);
  if (taken.length === 1) table.barred = card;
  else table.due = card;
}

function meld(table, played) {
  table.hand = without(table.hand, played);
  if (table.due && !played.includes(table.due)) throw new Illegal("the card that was taken comes first");
  if (played.length < 3 || !(isGroup(played) || isRun(played))) throw new Illegal("no meld");
  table.due = null;
}

function discard(table, card) {
  if (table.due) throw new Illegal("the card that was taken is not used");
  if (card === table.barred) throw new Illegal("it was just taken");
  table.hand = without(table.hand, [card]);
  table.pile.push(card);
}

function readAction(text, at, all) {
  const [verb, ...rest] = text.trim().split(/\s+/);
  const known = at === 0 ? ["draw", "take"] : at === all.length - 1 ? ["discard"] : ["meld"];
  if (!known.includes(verb) || (verb !== "meld" && rest.length !== 1)) throw new Skip("an action that I do not know");
  return [verb, cards(rest.join(" "))];
}

function play(table, text) {
  const actions = text.split(";").map(readAction);
  if (actions.length < 2) throw new Skip("a turn that is not over");
  for (const [verb, played] of actions) {
    if (verb === "draw") draw(table, played[0]);
    if (verb === "take") take(table, played[0]);
    if (verb === "meld") meld(table, played);
    if (verb === "discard") discard(table, played[0]);
  }
}

function answer(question, rulesets) {
  const { given, moves } = question.case;
  const rules = rulesets.get(question.ruleset);
  const isPlain = rules && rules.rules === "500-rummy" && !rules.with.length && !Object.keys(rules.set).length;
  if (!isPlain || !moves || moves.length !== 1) throw new Skip("other rules, a log, or several turns");
  if (!given || !given.hands || Object.keys(given).some((key) => !["hands", "pile"].includes(key))) throw new Skip("such a position");
  const hands = Object.fromEntries(Object.entries(given.hands).map(([name, text]) => [name, cards(text)]));
  if (!Object.values(hands).every((held) => held.length)) throw new Skip("a player without cards");
  const [, name, turn] = /^(\w+): ([\w; ]+)$/.exec(moves[0]) || [];
  if (name !== Object.keys(hands)[0]) throw new Skip("such a line");
  const table = { hands, hand: hands[name], pile: cards(given.pile), due: null, barred: null };
  play(table, turn);
  const left = Object.entries({ ...hands, [name]: table.hand }).map(([player, held]) => [player, held.join(" ")]);
  return { verdict: "legal", hands: Object.fromEntries(left), pile: table.pile.join(" ") };
}

function judged(question, rulesets) {
  try {
    return answer(question, rulesets);
  } catch (reason) {
    if (reason instanceof Skip) return { skipped: reason.message };
    if (reason instanceof Illegal) return { verdict: "illegal" };
    throw reason;
  }
}

const rulesets = new Map();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.cmd === "start") say({ version: 1, name: "a small referee", language: "JavaScript" });
  if (message.cmd === "ruleset") rulesets.set(message.id, message);
  if (message.cmd === "ask") say({ seq: message.seq, ...judged(message, rulesets) });
  if (message.cmd === "stop") process.exit();
});
