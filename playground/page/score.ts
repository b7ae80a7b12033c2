// Keep score tonight: names, a keypad, totals, a chart, the winner. It needs no referee and no network.
import { $, $$, closeSheet, el, icon, keep, kept, openSheet, scrolling } from "./dom.ts";
import type { Door } from "./door.ts";
import { type Line, drawChart } from "./chart.ts";
import { openCounting } from "./counting.ts";
import { openStandings } from "./standings.ts";
import { saveText } from "./files.ts";
import { shown, signed } from "./numbers.ts";
import {
  type Book, type Game, type Points, type Typed, MOST_PLAYERS, MOST_POINTS, NOTHING, asTyped, csvOf, dayOf, dealerOf, namesFrom, newGame,
  pointsOf, press, putAway, readBook, standingOf, totalsOf, troubleWith, unnamed, winnerOf, withNames,
} from "./sheet.ts";

const KEPT = "score";
const TARGETS = [300, 500, 1000];

/** The hand that is being written down: which, whose points are typed, and what stands there. */
interface Entry {
  hand: number;
  seat: number;
  typed: (Typed | null)[];
  fresh: boolean;
}

let root: HTMLElement;
let book: Book;
let entry: Entry | null = null;

/** Opens the game that was left, or asks who plays. */
export function mountScore(section: HTMLElement): Door {
  root = el("div", { id: "score-root" });
  section.replaceChildren(root);
  book = readBook(kept(KEPT));
  document.addEventListener("keydown", typeKey);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width && book.playing) redraw(); // the chart is drawn for the room that it has
    width = innerWidth;
  });
  return { open: draw };
}

/** Keeps the book on the device. */
function save(changed: Partial<Book>): void {
  book = { ...book, ...changed };
  keep(KEPT, JSON.stringify(book));
}

function draw(): void {
  const { game, playing } = book;
  root.classList.toggle("typing", playing && entry !== null);
  root.replaceChildren(...(game === null || !playing ? [startView()] : gameView(game)));
}

// --- who plays ----------------------------------------------------------------------------------

function startView(): HTMLElement {
  const before = book.game;
  const known = before?.names ?? book.past.at(-1)?.names ?? ["", "", ""];
  const rows = el("div", { cls: "name-rows" });
  rows.append(...known.map((name, seat) => nameRow(rows, seat, name, before === null ? null : seat)));
  const wrong = el("p", { cls: "wrong", role: "alert" });
  const aim = aimField(before ?? book.past.at(-1) ?? null);
  const add = el("button", { cls: "quiet add", html: `${icon("plus")}<span>One more player</span>`, on: { click: () => {
    if (rows.children.length >= MOST_PLAYERS) return;
    rows.append(nameRow(rows, rows.children.length, "", null));
    $$("input", rows).at(-1)!.focus();
  } } });
  const begin = (event: Event) => {
    event.preventDefault();
    const names = namesFrom($$<HTMLInputElement>("input", rows).map((input) => input.value));
    wrong.textContent = troubleWith(names);
    if (wrong.textContent === "") start(names, [...rows.children].map(seatBefore), aim);
  };
  const going = before !== null && before.hands.length > 0;
  return el("form", { cls: "start", on: { submit: begin } },
    el("h1", { tabindex: "-1", text: "Who plays tonight?" }), el("p", { cls: "soft", text: "Touch a line and write a name." }), rows, add, aim.field, wrong,
    el("button", { type: "submit", cls: "main big", text: going ? "Go on" : "Deal the first hand" }),
    el("p", { cls: "soft", text: "Kept on this device. Works without a network." }),
    book.past.length ? el("button", { cls: "quiet", html: `${icon("crown")}<span>Evenings before this one</span>`, on: { click: () => openStandings(book.past) } }) : null);
}

function nameRow(rows: HTMLElement, number: number, name: string, seat: number | null): HTMLElement {
  const without = () => {
    if (rows.children.length > 2) row.remove();
  };
  const row = el("div", { cls: "name-row", "data-seat": seat === null ? undefined : String(seat) },
    el("span", { cls: `dot p${number % MOST_PLAYERS}` }),
    el("input", { type: "text", value: name === unnamed(number) ? "" : name, placeholder: unnamed(number), "aria-label": `Name of player ${number + 1}`, maxlength: "40", autocomplete: "off", autocapitalize: "words", enterkeyhint: "next" }),
    el("button", { cls: "quiet round", "aria-label": `Without player ${number + 1}`, html: icon("close"), on: { click: without } }));
  return row;
}

/** Where somebody sat before the names were changed; null for who is new. */
const seatBefore = (row: Element): number | null => ((row as HTMLElement).dataset.seat === undefined ? null : Number((row as HTMLElement).dataset.seat));

interface Aim {
  field: HTMLElement;
  target: () => number;
  lowest: () => boolean;
}

/** How far the game goes, any number, and which end of the sheet wins. */
function aimField(before: Game | null): Aim {
  let lowest = before?.lowest ?? false;
  const number = el("input", { type: "number", cls: "goal", value: String(before?.target ?? 500), min: "1", max: MOST_POINTS, step: "1", inputmode: "numeric", "aria-label": "The game goes to this many points" });
  const pick = (target: number) => el("button", { text: String(target), on: { click: () => { number.value = String(target); } } });
  const sides = el("div", { cls: "segments", role: "group", "aria-label": "Who wins" });
  const side = (text: string, low: boolean) => el("button", { text, "aria-pressed": String(low === lowest), on: { click: (event: Event) => {
    lowest = low;
    for (const button of $$("button", sides)) button.setAttribute("aria-pressed", String(button === event.currentTarget));
  } } });
  sides.append(side("Most points win", false), side("Fewest win", true));
  const field = el("div", { cls: "aim-field" }, el("p", { cls: "label", text: "The game goes to" }), el("div", { cls: "targets" }, number, ...TARGETS.map(pick)), sides);
  const target = () => Math.min(MOST_POINTS, Math.max(1, Math.trunc(Number(number.value)) || 500));
  return { field, target, lowest: () => lowest };
}

function start(names: string[], seats: (number | null)[], aim: Aim): void {
  const before = book.game;
  const game = before === null ? newGame(names, aim.target(), aim.lowest(), dayOf(new Date())) : withNames({ ...before, target: aim.target(), lowest: aim.lowest() }, names, seats);
  save({ game, playing: true });
  entry = winnerOf(game) === null ? blank(game, game.hands.length) : null;
  draw();
}

// --- the sheet ----------------------------------------------------------------------------------

function gameView(game: Game): HTMLElement[] {
  const won = standingOf(game).over;
  entry ??= won ? null : blank(game, game.hands.length);
  const left = el("div", { cls: "score-main" }, heading(game), totalsRow(game), nameThem(game), won && entry === null ? banner(game) : null,
    game.hands.length ? totalsChart(game) : el("p", { cls: "invite", text: "Type what each player scored in the first hand." }), game.hands.length ? sheetTable(game) : null);
  root.classList.toggle("typing", entry !== null);
  return entry === null ? [left] : [left, keypad(game, entry)];
}

function blank(game: Game, hand: number, points?: Points[]): Entry {
  return { hand, seat: 0, typed: game.names.map((_, seat) => (points === undefined ? null : asTyped(points[seat] ?? null))), fresh: true };
}

const isChange = (game: Game, { hand }: Entry): boolean => hand < game.hands.length;

function heading(game: Game): HTMLElement {
  const title = entry === null ? "The game is over" : isChange(game, entry) ? `Hand ${entry.hand + 1}, again` : `Hand ${entry.hand + 1}`;
  const about = entry === null ? "" : `${dealerOf(game, entry.hand)} deals · to ${game.target}`;
  return el("div", { cls: "score-head" }, el("h1", { tabindex: "-1", text: title }), el("p", { cls: "soft", text: about }),
    el("button", { cls: "quiet round", "aria-label": "This game: names, target, CSV, a new game", html: icon("more"), on: { click: () => openMenu(game) } }));
}

function totalsRow(game: Game): HTMLElement {
  const { totals, leaders } = standingOf(game);
  const heads = game.names.map((name, seat) => {
    const leads = game.hands.length > 0 && leaders.includes(seat);
    const typed = entry?.typed[seat] ?? null;
    return el("button", { cls: `total p${seat % MOST_PLAYERS}${leads ? " ahead" : ""}${entry?.seat === seat ? " typing" : ""}`, on: { click: () => goTo(seat) } },
      el("span", { cls: "who" }, el("i", { cls: `dot p${seat % MOST_PLAYERS}` }), el("span", { text: name })),
      el("span", { cls: "sum", html: `${leads ? icon("crown") : ""}${shown(totals[seat]!)}<span class="hide"> points</span>` }),
      el("span", { cls: `plus${typed === null ? " none" : ""}`, text: typed === null ? "" : signed(pointsOf(typed)) }));
  });
  return el("div", { cls: "totals", "data-players": String(heads.length) }, ...heads);
}

/** Invites names where somebody has none. */
function nameThem(game: Game): HTMLElement | null {
  if (!game.names.some((name, seat) => name === unnamed(seat))) return null;
  return el("button", { cls: "quiet name-them", html: `${icon("pen")}<span>Write in who plays</span>`, on: { click: changeNames } });
}

/** Back to who plays; the hands stay. */
function changeNames(): void {
  save({ playing: false });
  entry = null;
  draw();
  $("input", root).focus();
}

function banner(game: Game): HTMLElement {
  const { leaders, totals } = standingOf(game);
  const best = shown(totals[leaders[0]!]!);
  const level = leaders.length > 1;
  const names = leaders.map((seat) => game.names[seat]).join(" and ");
  const more = el("button", { cls: level ? "main" : "", text: "One more hand", on: { click: () => { entry = blank(game, game.hands.length); draw(); } } });
  const again = el("button", { cls: level ? "" : "main", text: "Another game", on: { click: () => another(game) } });
  return el("div", { cls: "winner", role: "status" }, el("span", { cls: "stamp in", html: icon("crown") }),
    el("div", {}, el("p", { cls: "title", text: level ? `${names} share ${best}.` : `${names} wins with ${best}.` }), el("p", { cls: "sub", text: level ? "One more hand decides." : `${game.hands.length} ${game.hands.length === 1 ? "hand" : "hands"}. A good evening.` })),
    el("div", { cls: "acts" }, level ? more : again, level ? again : more, el("button", { text: "Standings", on: { click: () => openStandings([...book.past, game]) } })));
}

function totalsChart(game: Game): HTMLElement {
  const beside = matchMedia("(min-width: 1000px), (orientation: landscape) and (max-height: 520px)").matches;
  const lines: Line[] = game.names.map((name, seat) => ({ name, colour: seat, values: [0, ...game.hands.map((_, hand) => totalsOf(game, hand + 1)[seat]!)] }));
  const labels = ["", ...game.hands.map((_, hand) => String(hand + 1))];
  const width = Math.max(320, Math.min(780, root.clientWidth - (beside ? 380 : 8)));
  return el("div", { cls: "chart-box", html: drawChart({ about: "Totals after each hand", lines, labels, goal: game.target, width, height: beside ? 250 : 170 }) });
}

function sheetTable(game: Game): HTMLElement {
  const table = el("table", { cls: "sheet-table" }, el("caption", { cls: "hide", text: "The hands, the latest first: the total, and what the hand brought" }),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", html: '<span class="hide">Hand</span>' }), ...game.names.map((name) => el("th", { scope: "col", text: name })))));
  const rows = game.hands.map((hand, index) => {
    const sums = totalsOf(game, index + 1);
    const change = el("button", { cls: "quiet", text: String(index + 1), "aria-label": `Change hand ${index + 1}`, on: { click: () => { entry = blank(game, index, hand); draw(); } } });
    return el("tr", { cls: index === entry?.hand ? "editing" : "" }, el("th", { scope: "row" }, change), ...hand.map((points, seat) => el("td", { html: `<b>${shown(sums[seat]!)}</b> <small>${points === null ? "–" : signed(points)}</small>` })));
  });
  table.append(el("tbody", {}, ...rows.reverse()));
  return scrolling("The hands so far", table);
}

// --- the keypad ---------------------------------------------------------------------------------

function keypad(game: Game, now: Entry): HTMLElement {
  const name = game.names[now.seat]!;
  const typed = now.typed[now.seat] ?? null;
  const last = now.typed.every((points, seat) => points !== null || seat === now.seat);
  const key = (label: string, cls: string, action: () => void, about = label) => el("button", { cls, html: label, "aria-label": about, on: { click: action } });
  const digit = (number: number) => key(String(number), number === 0 ? "zero" : "", () => type(String(number)));
  const done = isChange(game, now) ? "Change" : "Write down";
  const next = key(last ? `${icon("yes")}<span>${done}</span>` : `<span>Next</span>${icon("forward")}`, "next", goOn, last ? done : `Next: ${nextName(game, now)}`);
  return el("div", { cls: "pad", role: "group", "aria-label": `Points of ${name}` },
    el("div", { cls: "reads" }, el("span", { cls: "who" }, el("i", { cls: `dot p${now.seat % MOST_PLAYERS}` }), el("span", { text: name })),
      el("button", { cls: "quiet tally", text: "Count cards", on: { click: () => openCounting(name, game.names.length, (points) => write(asTyped(points))) } }),
      el("output", { role: "status", html: typed === null ? '<i class="caret"></i>' : typed.value === null && typed.minus ? "−" : signed(pointsOf(typed)) })),
    ...[1, 2, 3].map(digit), key(icon("erase"), "soft-key", () => type("erase"), "Erase"),
    ...[4, 5, 6].map(digit), key("+/−", "soft-key", () => type("sign"), "Change the sign"),
    ...[7, 8, 9].map(digit), next, digit(0));
}

function nextName(game: Game, { typed, seat }: Entry): string {
  return game.names[typed.findIndex((points, other) => points === null && other !== seat)] ?? "";
}

/** Writes points for the player whose turn it is; focus stays on its key. */
function write(typed: Typed): void {
  if (entry === null) return;
  entry.typed[entry.seat] = typed;
  entry.fresh = false;
  redraw();
}

function type(key: string): void {
  if (entry === null) return;
  const before = entry.typed[entry.seat] ?? NOTHING;
  write(press(entry.fresh && key !== "sign" && key !== "erase" ? { ...NOTHING, minus: before.value === null && before.minus } : before, key));
}

function goTo(seat: number): void {
  if (entry === null) return;
  entry = { ...entry, seat, fresh: true };
  redraw();
}

/** On to who has no points yet; when everybody has, the hand is written down. */
function goOn(): void {
  const { game } = book;
  if (entry === null || game === null) return;
  entry.typed[entry.seat] ??= NOTHING;
  const open = entry.typed.indexOf(null);
  if (open >= 0) return goTo(open);
  const points = entry.typed.map((typed) => pointsOf(typed ?? NOTHING));
  const { hand } = entry;
  const hands = [...game.hands];
  hands[hand] = hand < hands.length ? points.map((now, seat) => (hands[hand]![seat] === null && now === 0 ? null : now)) : points;
  entry = null;
  save({ game: { ...game, hands } });
  redraw();
}

/** Draws anew, with the focus where it was. */
function redraw(): void {
  const place = $$("button", root).indexOf(document.activeElement as HTMLButtonElement);
  const label = document.activeElement?.getAttribute("aria-label");
  draw();
  if (place < 0) return;
  const again = $$("button", root).find((button) => button.getAttribute("aria-label") === label) ?? $("button.next", root);
  again?.focus({ preventScroll: true });
}

function typeKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (entry === null || !root.isConnected || root.closest("[hidden]") || target.closest("input, textarea, dialog, [contenteditable]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^\d$/.test(event.key)) type(event.key);
  else if (event.key === "-") type("sign");
  else if (event.key === "Backspace") type("erase");
  else if (event.key === "Enter" && !target.closest("button:not(.pad button), a")) goOn();
  else return;
  event.preventDefault();
}

// --- the game as a whole ------------------------------------------------------------------------

function openMenu(game: Game): void {
  const entries: [string, string, () => void][] = [
    ["Take back the last hand", "undo", () => takeBack(game)],
    ["Change names or target", "pen", changeNames],
    ["The sheet as CSV", "save", () => saveText("score.csv", csvOf(game), "text/csv")],
    ["Evenings and the season", "crown", () => openStandings([...book.past, game])],
    ["Print", "print", () => print()],
    ["Another game", "start", () => another(game)],
  ];
  const button = ([label, sign, act]: [string, string, () => void]) => el("button", { html: `${icon(sign)}<span>${label}</span>`, on: { click: () => { closeSheet(); act(); } } });
  openSheet("This game", el("div", { cls: "menu" }, ...entries.map(button)), { cls: "side-sheet" });
}

/** The last hand back on the keypad. */
function takeBack(game: Game): void {
  const hand = game.hands.at(-1);
  if (hand === undefined) return;
  const hands = game.hands.slice(0, -1);
  save({ game: { ...game, hands } });
  entry = blank(game, hands.length, hand);
  draw();
}

/** The same players begin anew, the next one deals; the game that was played is kept. */
function another(game: Game): void {
  const dealer = (game.dealer + game.hands.length) % game.names.length;
  const next = { ...newGame(game.names, game.target, game.lowest, dayOf(new Date())), dealer };
  save({ ...putAway(book), game: next, playing: true });
  entry = null;
  draw();
}
