// The words of the table: one sentence for a verdict, the cards in it drawn; the referee's own text is one tap away.
import { cardIn, chip, plain, withCards } from "./cards.ts";
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

/** A text of the referee: its cards drawn, what stands between backticks set as code, and melds of a table by their cards. */
export function told(text: string, layout?: Layout): string {
  const drawn = (part: string): string => withCards(part).replace(/\bm\d+\b/gi, (id) => cardsOfMeld(id, layout));
  return escape(text).split(/`([^`]*)`/).map((part, at) => (at % 2 ? `<code>${part}</code>` : drawn(part))).join("");
}

/** The cards of a meld, which has no number on a table; the name of a log's meld as it is. */
function cardsOfMeld(id: string, layout?: Layout): string {
  const meld = layout?.melds.find((one) => one.id === id.toLowerCase());
  return meld ? list(meld.cards.map(({ card }) => card)) : id;
}

/** A sentence of the referee: it has neither a large letter at its beginning nor a full stop of its own. */
export function sentence(text: string, layout?: Layout): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return told(text.charAt(0).toUpperCase() + text.slice(1) + end, layout);
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

/** An action by its words: what is done, with which cards, how many are taken, and the meld that they go to. */
interface Action { verb: string; cards: string[]; many?: string; to?: string }

/** The words of an action; null where one of them is none that is known here. */
function actionIn(action: string): Action | null {
  const [verb = "", ...rest] = action.trim().split(/\s+/);
  const read: Action = { verb: verb.toLowerCase(), cards: [] };
  for (const word of rest) {
    const card = cardIn(word);
    const many = /^x(\d+)$/i.exec(word)?.[1];
    if (card) read.cards.push(card);
    else if (many) read.many = many;
    else if (/^m\d+$/.test(word)) read.to = word;
    else if (word !== "on") return null;
  }
  return read;
}

/** An action as a person says it: "meld 4c 4d 4h" is "meld 4♣ 4♦ 4♥", or "melds" of somebody. */
export function sayAction(action: string, layout?: Layout, form: "do" | "does" = "do"): string {
  const read = actionIn(action);
  const asWritten = withCards(escape(action));
  if (!read) return asWritten;
  const { verb, cards, many, to } = read;
  const s = form === "does" ? "s" : "";
  switch (verb) {
    case "draw": return cards[0] && cards[0] !== "?" ? `draw${s} ${chip(cards[0])}` : `draw${s} a card`;
    case "take": return `take${s} ${list(cards)}${many ? ` (${plural(Number(many), "card")})` : ""}`;
    case "discard": return `discard${s} ${list(cards)}`;
    case "meld": return `meld${s} ${list(cards)}`;
    case "rummy": return `call${s} “Rummy!” ${list(cards)}`;
    case "lay": return `lay${s} ${list(cards)}${to ? ` on ${meldOf(layout, to)}` : ""}`;
    default: return asWritten;
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
/** A finding with the action that it is about, which need not be the last of a move. */
interface Refused { finding: Finding; action: string; layout: Layout; who: string }

/** Why not, in one sentence, and what helps to understand it in another. Codes that are not known here speak for themselves. */
export function sayNo(finding: Finding, move: string, layout: Layout): No {
  const who = escape(layout.to_move ?? "the player");
  return (NO[finding.code] ?? otherwise)({ finding, action: actionOf(finding, move), layout, who });
}

/** The action of a move that a finding points at; the last one where it points at none. */
function actionOf({ excerpt = "", column = 1, end_column = 1 }: Finding, move: string): string {
  const at = [...excerpt].slice(column - 1, end_column - 1).join("");
  return actionIn(at)?.cards.length ? at : move.split("; ").at(-1) ?? "";
}

const no = (title: string, sub = ""): No => ({ kind: "no", title: `No. ${capital(title)}`, sub });
const notYet = (title: string, sub = ""): No => ({ kind: "wait", title: `Not yet. ${capital(title)}`, sub });

const NO: Record<string, (refused: Refused) => No> = {
  "turn.draw": ({ finding, who }) => (finding.message.includes("already")
    ? no("One draw a turn.", `${who} has drawn; now a meld, a lay-off or the discard.`)
    : notYet(`${who} draws first.`, "A turn begins with a card from the stock or from the pile.")),
  "out.stuck": ({ finding, action, layout, who }) => {
    const taken = cardsOfAction(action);
    if (action.startsWith("take")) return no(`${who} could not use the ${list(taken)}.`, "The deepest card taken must be used this turn, and it goes with nothing here.");
    return layout.must ? notYet(`The ${chip(layout.must)} comes first.`, "It was taken from inside the pile, so it must be used at once.") : no(sentence(finding.message));
  },
  "draw.deep.unused": ({ layout, finding }) => (layout.must
    ? no(`The ${chip(layout.must)} must be used this turn.`, "It was taken from inside the pile and may not stay in hand.")
    : otherwise({ finding, layout })),
  "discard.taken-top": ({ action, who }) => no(`Not the ${list(cardsOfAction(action))}: ${who} just took it.`, "The top card taken may not go straight back."),
  "layoff.fit": ({ finding, action, layout }) => {
    const meld = layout.melds.find(({ id }) => id === action.split(" ").at(-1));
    const cards = cardsOfAction(action);
    if (finding.message.includes("full")) return no(`${capital(meldWords(meld))} are complete.`, sentence(finding.message));
    return no(`${list(cards)} ${cards.length > 1 ? "do" : "does"} not fit ${meldWords(meld)}.`, notes(finding));
  },
  "meld.shape": ({ finding, action }) => {
    const fault = /^the cards? at fault: (.*)/.exec(finding.facts?.find((fact) => fact.startsWith("the card")) ?? "")?.[1];
    return no(`${list(cardsOfAction(action))} are no meld.`, fault && !fault.includes(" or ") ? `The odd ${fault.includes(" ") ? "ones" : "one"} out: ${told(fault)}.` : sentence(finding.message));
  },
  "meld.size": ({ finding, action }) => {
    const [, least, laid] = /has (?:at least )?(\d+).*, not (\d+)/.exec(finding.message) ?? [];
    const said = sentence(finding.message);
    return Number(laid) < Number(least) ? notYet("More cards make a meld.", said) : no(`${list(cardsOfAction(action))} are no meld.`, said);
  },
  "wild.unbound": () => ({ kind: "maybe", title: "It depends on what the joker stands for.", sub: "It could be either; say which, and it stays that card." }),
  "call.own": ({ finding }) => no("Nobody calls their own discard.", notes(finding)),
};

function otherwise({ finding, layout }: Pick<Refused, "finding" | "layout">): No {
  return no(sentence(finding.message, layout), notes(finding));
}

const notes = (finding: Finding): string => (finding.notes?.length ? sentence(finding.notes.join("; ")) : "");

/** The cards that the last action of a move names. */
export function cardsOfAction(move: string): string[] {
  return actionIn((move.split("; ").at(-1) ?? "").replace(/^[^:]+: /, ""))?.cards ?? [];
}
