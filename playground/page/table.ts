// What is known of a table, and how the referee is asked about it. Where cards lie, what may be done and what it brings
// all come from the referee; answers about the example were recorded, so it can be played before the referee is there.
import { cardIn, plain, RANKS } from "./cards.ts";
import { ask } from "./referee.ts";

export interface Laid { card: string; by: string | null }
export interface MeldLaid { id: string; cards: Laid[]; stands: boolean }
/** What lies where, as answers say it; null is what nobody knows. */
export interface Layout {
  players: string[];
  to_move: string | null;
  drawn: boolean;
  must: string | null;
  hands: Record<string, string[] | null>;
  melds: MeldLaid[];
  pile: string[] | null;
  stock: number | null;
  discarded_by: string | null;
  points: Record<string, number>;
  over: boolean;
}
export interface Listed { move: string; points: number }
export type Position = Record<string, unknown>;
export type Rules = string | { text: string };
/** The table between two moves. */
export interface Stand {
  layout: Layout;
  /** What to ask about: a position, and what was done since, where no position file can say that. */
  position: Position;
  since: string[];
  rules: Rules;
  /** How it came from the example; null where it did not. */
  path: string | null;
  moves: Listed[];
  turns: Listed[];
}
export interface Finding {
  code: string;
  message: string;
  facts?: string[];
  notes?: string[];
  help?: string[];
  rule?: { key: string; value: string; file: string; line: number } | null;
  page?: { means: string; why: string } | null;
  /** What was judged, and the columns of it that this is about, the first being 1. */
  excerpt?: string;
  column?: number;
  end_column?: number;
}
/** What the referee says to a move. */
export interface Judged {
  verdict: "legal" | "illegal" | "open" | "unreadable" | "unusable";
  unfinished?: boolean;
  findings: Finding[];
  points?: Record<string, number>;
  open?: unknown[];
  then?: string | null;
}
interface Told { layout: Layout; file: Position | null; moves: Listed[]; turns: Listed[] }
type Played = Judged & { after?: Told };
interface Recorded { said: Judged[]; verdicts: Record<string, Record<string, number>>; stands: Record<string, Told> }

let recorded: Recorded | null = null;

/** Takes in the recorded answers; without them the page waits for the referee. */
export async function fetchRecorded(): Promise<void> {
  const inside = document.getElementById("recorded");
  recorded = inside ? JSON.parse(inside.textContent ?? "null") : await (await fetch("recorded.json")).json();
}

/** A table with nothing on it: the first player is to move and holds nothing yet, what the others hold is not known. */
export function emptyLayout(players: string[]): Layout {
  const hands = Object.fromEntries(players.map((name, at) => [name, at ? null : []]));
  return { players, to_move: players[0] ?? null, drawn: false, must: null, hands, melds: [], pile: [], stock: null, discarded_by: null, points: {}, over: false };
}

/** Every card that lies somewhere on a table. */
export function cardsOn({ hands, pile, melds }: Layout): Set<string> {
  const laid = melds.flatMap(({ cards }) => cards.map(({ card }) => plain(card)));
  return new Set([...Object.values(hands).flatMap((cards) => cards ?? []), ...(pile ?? []), ...laid]);
}

/** The cards of a place in a position file. */
function cardsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).flatMap((word) => {
    const many = /^\?\*(\d{1,3})$/.exec(word);
    return many ? Array<string>(Number(many[1])).fill("?") : [word];
  });
}

/** A table as it is drawn before the referee has looked at it; `path` is that of the example. */
export function standOf(position: Position, rules: Rules, path: string | null): Stand {
  return { layout: drawn(position), position, since: [], rules, path, moves: [], turns: [] };
}

/** What a position file says about where cards lie; what it says in another way than the page does is left to the referee. */
function drawn({ players, to_move: mover, hands, table, pile, stock, discarded_by: by }: Position): Layout {
  const names = Array.isArray(players) ? players.filter((name) => typeof name === "string") : [];
  const said = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const known = (cards: unknown): string[] => cardsOf(said(cards) ?? "").filter((card) => cardIn(card) === card);
  const entries = (value: unknown): [string, unknown][] => (typeof value === "object" && value !== null ? Object.entries(value) : []);
  const melds = entries(table).map(([id, parts]) => ({
    id, stands: true, cards: entries(parts).flatMap(([owner, cards]) => known(cards).map((card) => ({ card, by: owner }))),
  }));
  const held = new Map(entries(hands));
  return {
    ...emptyLayout(names), to_move: said(mover) ?? names[0] ?? null, melds, pile: known(pile), discarded_by: said(by),
    hands: Object.fromEntries(names.map((name) => [name, held.has(name) ? known(held.get(name)) : null])),
    stock: typeof stock === "number" ? stock : null,
  };
}

/** The same table as the referee lays it out, or what is wrong with it. */
export async function looked(stand: Stand): Promise<Stand | Finding[]> {
  const known = stand.path === null ? undefined : recorded?.stands[stand.path];
  if (known) return { ...stand, layout: known.layout, moves: known.moves, turns: known.turns };
  const told = await ask<{ layout?: Layout; findings?: Finding[] }>("position", { position: stand.position, rules: stand.rules, moves: false });
  return told.layout ? { ...stand, layout: told.layout } : told.findings ?? [];
}

/** What may be done at a table, and the best turns: this takes longer than a verdict, so it is asked when nobody else asks. */
export async function explored(stand: Stand): Promise<Pick<Stand, "moves" | "turns">> {
  const { moves = [], turns = [] } = await ask<Partial<Told>>("position", { position: stand.position, rules: stand.rules });
  return { moves, turns };
}

const joined = (stand: Stand, move: string): string => [...stand.since, move].join("; ");
const onPath = (stand: Stand, move: string): string => (stand.path ? `${stand.path}; ${move}` : move);

/** What the referee says to a move, if that is known at once. */
function recordedVerdict(stand: Stand, move: string): Judged | undefined {
  if (stand.path === null || !recorded) return undefined;
  const at = recorded.verdicts[stand.path]?.[move];
  return at === undefined ? undefined : recorded.said[at];
}

/** What the referee says to a move. */
export async function judge(stand: Stand, move: string): Promise<Judged> {
  return recordedVerdict(stand, move)
    ?? ask<Judged>("legal", { position: stand.position, move: joined(stand, move), rules: stand.rules });
}

/** Makes a move, and has the table after it, if it is legal. */
export async function play(stand: Stand, move: string): Promise<{ judged: Judged; after: Stand | null }> {
  const path = stand.path === null ? null : onPath(stand, move);
  const known = path === null ? undefined : recorded?.stands[path];
  const judged = known ? recordedVerdict(stand, move) : undefined;
  if (known && judged) return { judged, after: next(stand, move, known, path) };
  const { after, ...said } = await ask<Played>("play", { position: stand.position, move: joined(stand, move), rules: stand.rules });
  return { judged: said, after: after ? next(stand, move, after, path) : null };
}

function next(stand: Stand, move: string, told: Told, path: string | null): Stand {
  const { layout, file, moves, turns } = told;
  const rest = { layout, moves, turns, rules: stand.rules, path };
  return file ? { ...rest, position: file, since: [] } : { ...rest, position: stand.position, since: [...stand.since, move] };
}

/** Of which cards an unknown one would make a move legal; null where the move names none. */
export async function fitting(stand: Stand, move: string): Promise<string[]> {
  const known = recordedVerdict(stand, move) as (Judged & { cards?: string[] }) | undefined;
  if (known?.cards) return known.cards;
  const { cards } = await ask<{ cards: string[] }>("fitting", { position: stand.position, move: joined(stand, move), rules: stand.rules });
  return cards;
}

const place = (card: string): number => {
  const named = plain(card);
  if (named === "?") return -1;
  return named === "Jk" ? 99 : RANKS.indexOf(named[0]) * 4 + "cdhs".indexOf(named[1]);
};
/** Cards in the order of ranks, as moves name them here. */
export const inOrder = (cards: string[]): string[] => [...cards].sort((one, other) => place(one) - place(other));

/** A move with some cards to a place: `new` is a new meld, `m1` one on the table, `pile` the pile. */
export function moveTo(zone: string, cards: string[]): string {
  if (zone === "pile") return `discard ${plain(cards[0])}`;
  const named = inOrder(cards).join(" ");
  return zone === "new" ? `meld ${named}` : `lay ${named} ${zone}`;
}
