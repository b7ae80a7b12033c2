// The words of the table: one sentence for a verdict, the cards in it drawn; the referee's own text is one tap away.
import { chip, plain, withCards } from "./cards.ts";
import { escape } from "./dom.ts";
import type { Finding, Layout, MeldLaid } from "./table.ts";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
const RANK_PLURALS: Record<string, string> = { Q: "queens", K: "kings", J: "jacks", A: "aces", T: "10s" };

export const count = (number: number): string => NUMBERS[number] ?? String(number);
export const plural = (number: number, word: string): string => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
export const list = (cards: string[]): string => cards.map(chip).join(" ");
const enumerated = (parts: string[], word: string): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
export const and = (parts: string[]): string => enumerated(parts, "and");
export const or = (parts: string[]): string => enumerated(parts, "or");
export const capital = (text: string): string => (text.startsWith("<") ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** A text of the referee: its cards drawn, what stands between backticks set as code. */
export function told(text: string): string {
  return escape(text).split(/`([^`]*)`/).map((part, at) => (at % 2 ? `<code>${part}</code>` : withCards(part))).join("");
}

/** A sentence of the referee: it has neither a large letter at its beginning nor a full stop of its own. */
export function sentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return told(text.charAt(0).toUpperCase() + text.slice(1) + end);
}

/** A meld as people call it: "the queens", or a run by its ends. */
export function meldWords(meld: MeldLaid | undefined): string {
  if (!meld) return "a new meld";
  const cards = meld.cards.map(({ card }) => card);
  const ranks = new Set(cards.filter((card) => plain(card) !== "Jk").map((card) => card[0]));
  const [rank] = ranks;
  if (ranks.size === 1 && rank) return `the ${RANK_PLURALS[rank] ?? `${rank}s`}`;
  return `<span class="nb">${chip(cards[0])} – ${chip(cards.at(-1) ?? "?")}</span>`;
}
const meldOf = (layout: Layout | undefined, id: string | undefined): string => meldWords(layout?.melds.find((meld) => meld.id === id));

/** An action as a person says it: "meld 4c 4d 4h" is "meld 4♣ 4♦ 4♥", or "melds" of somebody. */
export function sayAction(action: string, layout?: Layout, form: "do" | "does" = "do"): string {
  const [verb, ...rest] = action.trim().split(/\s+/);
  const s = form === "does" ? "s" : "";
  const to = /^m\d+$/.test(rest.at(-1) ?? "") ? rest.at(-1) : undefined;
  const cards = to ? rest.slice(0, -1) : rest;
  switch (verb) {
    case "draw": return cards[0] && cards[0] !== "?" ? `draw${s} ${chip(cards[0])}` : `draw${s} a card`;
    case "take": return `take${s} ${list(cards)}`;
    case "discard": return `discard${s} ${list(cards)}`;
    case "meld": return `meld${s} ${list(cards)}`;
    case "rummy": return `call${s} “Rummy!” ${list(cards)}`;
    case "lay": return `lay${s} ${list(cards)}${to ? ` on ${meldOf(layout, to)}` : ""}`;
    default: return withCards(escape(action));
  }
}

/** A move as a person says it, with the name of a caller where it has one. */
export function sayMove(move: string, layout?: Layout, form: "do" | "does" = "do"): string {
  return move.split("; ").map((action) => {
    const called = /^([^:]+): (.*)$/.exec(action);
    return called ? `${escape(called[1])}: ${sayAction(called[2], layout, form)}` : sayAction(action, layout, form);
  }).join(", then ");
}

/** A move on a button: where a card goes says enough. */
export const onButton = (move: string, layout: Layout): string => capital(sayMove(move, layout).replace(/^lay (?=<)/, ""));

export interface No { kind: "no" | "wait" | "maybe"; title: string; sub: string }
interface Refused { finding: Finding; move: string; layout: Layout; who: string }

/** Why not, in one sentence, and what helps to understand it in another. Codes that are not known here speak for themselves. */
export function sayNo(finding: Finding, move: string, layout: Layout): No {
  const who = escape(layout.to_move ?? "the player");
  return (NO[finding.code] ?? otherwise)({ finding, move, layout, who });
}

const no = (title: string, sub = ""): No => ({ kind: "no", title: `No. ${capital(title)}`, sub });
const notYet = (title: string, sub = ""): No => ({ kind: "wait", title: `Not yet. ${capital(title)}`, sub });

const NO: Record<string, (refused: Refused) => No> = {
  "turn.draw": ({ finding, who }) => (finding.message.includes("already")
    ? no("One draw a turn.", `${who} has drawn; now a meld, a lay-off or the discard.`)
    : notYet(`${who} draws first.`, "A turn begins with a card from the stock or from the pile.")),
  "out.stuck": ({ finding, move, layout, who }) => {
    const taken = cardsOfAction(move);
    if (move.startsWith("take")) return no(`${who} could not use the ${list(taken)}.`, "The deepest card taken must be used this turn, and it goes with nothing here.");
    return layout.must ? notYet(`The ${chip(layout.must)} comes first.`, "It was taken from inside the pile, so it must be used at once.") : no(sentence(finding.message));
  },
  "draw.deep.unused": ({ layout, finding }) => (layout.must
    ? no(`The ${chip(layout.must)} must be used this turn.`, "It was taken from inside the pile and may not stay in hand.")
    : otherwise({ finding })),
  "discard.taken-top": ({ move, who }) => no(`Not the ${list(cardsOfAction(move))}: ${who} just took it.`, "The top card taken may not go straight back."),
  "layoff.fit": ({ finding, move, layout }) => {
    const meld = layout.melds.find(({ id }) => id === move.split(" ").at(-1));
    const cards = cardsOfAction(move);
    if (finding.message.includes("full")) return no(`${capital(meldWords(meld))} are complete.`, sentence(finding.message));
    return no(`${list(cards)} ${cards.length > 1 ? "do" : "does"} not fit ${meldWords(meld)}.`, notes(finding));
  },
  "meld.shape": ({ finding, move }) => {
    const fault = /^the cards? at fault: (.*)/.exec(finding.facts?.find((fact) => fact.startsWith("the card")) ?? "")?.[1];
    return no(`${list(cardsOfAction(move))} are no meld.`, fault && !fault.includes(" or ") ? `The odd ${fault.includes(" ") ? "ones" : "one"} out: ${told(fault)}.` : sentence(finding.message));
  },
  "meld.size": ({ finding, move }) => {
    const [, least, laid] = /has (?:at least )?(\d+).*, not (\d+)/.exec(finding.message) ?? [];
    const said = sentence(finding.message);
    return Number(laid) < Number(least) ? notYet("More cards make a meld.", said) : no(`${list(cardsOfAction(move))} are no meld.`, said);
  },
  "wild.unbound": () => ({ kind: "maybe", title: "It depends on what the joker stands for.", sub: "It could be either; say which, and it stays that card." }),
  "call.own": ({ finding }) => no("Nobody calls their own discard.", notes(finding)),
};

function otherwise({ finding }: Pick<Refused, "finding">): No {
  return no(sentence(finding.message), notes(finding));
}

const notes = (finding: Finding): string => (finding.notes?.length ? sentence(finding.notes.join("; ")) : "");

/** The cards that the last action of a move names. */
export function cardsOfAction(move: string): string[] {
  return (move.split("; ").at(-1) ?? "").replace(/^[^:]+: /, "").split(" ").slice(1).filter((word) => !/^m\d+$/.test(word));
}
