// A score sheet: who plays, what each hand brought, and what follows from that by adding. It knows no rule of the game.

/** Points of one player in one hand; null where the player did not play it. */
export type Points = number | null;

/** A game as it is kept on the device. `begun` is its day, as 2026-11-28. */
export interface Game {
  names: string[];
  target: number;
  lowest: boolean;
  hands: Points[][];
  dealer: number;
  begun: string;
}

/** Who leads, and whether the target has been reached. */
export interface Standing {
  totals: number[];
  leaders: number[];
  over: boolean;
}

export const MOST_PLAYERS = 8;
export const MOST_POINTS = 99_999;

/** The day of a moment, where the device is. */
export function dayOf(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** A game without hands. */
export function newGame(names: string[], target: number, lowest: boolean, begun: string): Game {
  return { names, target, lowest, hands: [], dealer: 0, begun };
}

/** The total of each player after some hands, or all. */
export function totalsOf(game: Game, hands = game.hands.length): number[] {
  return game.names.map((_, seat) => game.hands.slice(0, hands).reduce((sum, hand) => sum + (hand[seat] ?? 0), 0));
}

/** Who leads: the highest total, or the lowest where that wins; the game is over once a total has reached the target. */
export function standingOf(game: Game): Standing {
  const totals = totalsOf(game);
  const best = game.lowest ? Math.min(...totals) : Math.max(...totals);
  const leaders = totals.flatMap((total, seat) => (total === best ? [seat] : []));
  return { totals, leaders, over: game.hands.length > 0 && Math.max(...totals) >= game.target };
}

/** The seat of the one winner, if there is one. */
export function winnerOf(game: Game): number | null {
  const { leaders, over } = standingOf(game);
  return over && leaders.length === 1 ? leaders[0]! : null;
}

/** Who deals a hand; the deal goes round. */
export function dealerOf(game: Game, hand: number): string {
  return game.names[(game.dealer + hand) % game.names.length]!;
}

/** The same game with other players: who was there keeps their points, and who is new has none so far. */
export function withNames(game: Game, names: string[], from: (number | null)[]): Game {
  const hands = game.hands.map((hand) => from.map((seat) => (seat === null ? null : (hand[seat] ?? null))));
  return { ...game, names, hands, dealer: game.dealer % names.length };
}

/** What somebody is called who gave no name. */
export const unnamed = (seat: number): string => `Player ${seat + 1}`;

/** A name for each player: what was typed, else one that is free. */
export function namesFrom(typed: string[]): string[] {
  return typed.map((name, seat) => name.trim() || unnamed(seat));
}

/** Why these names cannot be, or nothing. */
export function troubleWith(names: string[]): string {
  const twice = names.find((name, seat) => names.indexOf(name) !== seat);
  return twice === undefined ? "" : `Two players are called ${twice}. Add a letter to one of them.`;
}

/** The sheet as CSV: a row for each hand, and the totals. */
export function csvOf(game: Game): string {
  const rows = [
    ["Hand", ...game.names],
    ...game.hands.map((hand, index) => [String(index + 1), ...hand.map((points) => (points === null ? "-" : String(points)))]),
    ["Total", ...totalsOf(game).map(String)],
  ];
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** A cell of CSV. A name that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(text: string): string {
  const safe = /^[=+@\t]|^-(?![\d.]*$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// --- what is kept -------------------------------------------------------------------------------

/** What the device keeps: the game that is being written down, and those before it. */
export interface Book {
  game: Game | null;
  playing: boolean;
  past: Game[];
}

const MOST_PAST = 500;

/** The book that a text holds, with everything left out that is none; texts may come from another version. */
export function readBook(text: string | null): Book {
  let data: unknown = null;
  try {
    data = JSON.parse(text ?? "null");
  } catch {
    // What cannot be read is as good as nothing.
  }
  const book = (typeof data === "object" && data !== null ? data : {}) as Partial<Record<keyof Book, unknown>>;
  const game = isGame(book.game) ? book.game : null;
  const past = Array.isArray(book.past) ? book.past.filter(isGame) : [];
  return { game, playing: game !== null && book.playing === true, past };
}

/** The book with a game put away behind those before it; one without hands is not kept. */
export function putAway(book: Book): Book {
  if (book.game === null || book.game.hands.length === 0) return book;
  return { ...book, past: [...book.past, book.game].slice(-MOST_PAST) };
}

function isGame(data: unknown): data is Game {
  if (typeof data !== "object" || data === null) return false;
  const { names, target, lowest, hands, dealer, begun } = data as Record<keyof Game, unknown>;
  const isPoints = (points: unknown) => points === null || (Number.isInteger(points) && Math.abs(points as number) <= MOST_POINTS);
  return (
    Array.isArray(names) && names.length >= 2 && names.length <= MOST_PLAYERS && names.every((name) => typeof name === "string") &&
    Number.isInteger(target) && typeof lowest === "boolean" && Number.isInteger(dealer) && (dealer as number) >= 0 &&
    typeof begun === "string" && Array.isArray(hands) &&
    hands.every((hand) => Array.isArray(hand) && hand.length === names.length && hand.every(isPoints))
  );
}

// --- what is typed ------------------------------------------------------------------------------

/** What the keypad has written so far; a minus sign may stand alone. */
export interface Typed {
  value: number | null;
  minus: boolean;
}

export const NOTHING: Typed = { value: null, minus: false };

/** What stands there after a key: a digit, `sign` or `erase`. */
export function press({ value, minus }: Typed, key: string): Typed {
  if (key === "sign") return { value, minus: !minus };
  if (key === "erase") return value === null || value < 10 ? { value: null, minus: value === null ? false : minus } : { value: Math.trunc(value / 10), minus };
  const next = (value ?? 0) * 10 + Number(key);
  return next > MOST_POINTS ? { value, minus } : { value: next, minus };
}

/** The points that stand there; nothing is nought. */
export const pointsOf = ({ value, minus }: Typed): number => (value ? (minus ? -value : value) : 0);
/** Points as if they had been typed. */
export const asTyped = (points: Points): Typed => (points === null ? NOTHING : { value: Math.abs(points), minus: points < 0 });
