// Draws a table as answers say what lies where. Cards keep their identity from one drawing to the next, so they glide.
import { cardName, face, plain, suitOf } from "./cards.ts";
import { $, $$, arrows, el, flip, icon } from "./dom.ts";
import type { Layout, MeldLaid } from "./table.ts";

/** A card that lies somewhere: `id` stays the same wherever it goes. */
export interface Lying { id: string; card: string }
/** What shines: where something may be laid, may perhaps be laid, or waits for more cards. */
export type Glow = "ok" | "maybe" | "open";
/** How the table looks beyond what lies on it. */
export interface Marks {
  question?: string;
  /** Cards of the hand that are chosen, and those that wait in the place of a new meld. */
  chosen: string[];
  waiting: string[];
  /** The card of the pile that is asked about; those on it are lifted as well. */
  asked: string | null;
  /** The card of the pile that waits to be asked about. */
  hint: string | null;
  /** The place that cards are being added to: `hand Ann`, `pile`, `m1` or `new`. */
  edited: string | null;
  /** Whether a move can be taken back, and whether somebody may call. */
  undo: boolean;
  callable: boolean;
  /** Whose hands are covered: nobody's, those of the others, or all. */
  covered: "none" | "others" | "all";
}
export const UNMARKED: Marks = { chosen: [], waiting: [], asked: null, hint: null, edited: null, undo: false, callable: false, covered: "none" };
type Order = "suit" | "rank";

/** How wide in pixels what a finger hits has to be, and what is no room for cards: the edge of the cloth, and gaps. */
const TOUCH = 44;
const EDGE = 28;
const GAP = 13;
/** How many rows cards may take before they scroll: on a phone laid on its side, on one held upright, and those of the pile on a desk. */
const ROWS = { low: 1, upright: 2, wide: 3 };
/** How wide the stock is beside a card of the pile. */
const STOCK = 0.9;
/** How large a card of a hand is in rows. */
const SMALLER = 0.8;

/** The cards of each place with their identities. */
interface Places { hands: Map<string, Lying[]>; melds: Map<string, Lying[]>; pile: Lying[] }

export class Board {
  layout: Layout | null = null;
  marks: Marks = UNMARKED;
  places: Places = { hands: new Map(), melds: new Map(), pile: [] };
  private order: Order = "suit";
  private arranged: string[] = [];

  constructor(readonly root: HTMLElement, readonly still: boolean) {
    root.classList.add("cloth");
    root.classList.toggle("still", still);
    if (!still) arrows(root, ".card");
    let wide = 0;
    new ResizeObserver(() => {
      if (root.clientWidth === wide || !root.clientWidth) return;
      wide = root.clientWidth;
      requestAnimationFrame(() => this.mark({}));
    }).observe(root);
  }

  /** Draws a table; cards that lay elsewhere before glide to where they are now. */
  show(layout: Layout, marks: Marks = UNMARKED, from: Map<string, DOMRect> = new Map()): void {
    this.layout = layout;
    this.marks = marks;
    this.places = identified(layout);
    flip(this.root, () => this.draw(layout), from);
  }

  /** Draws it again with other marks. */
  mark(marks: Partial<Marks>, from?: Map<string, DOMRect>): void {
    if (this.layout) this.show(this.layout, { ...this.marks, ...marks }, from);
  }

  /** Lets the places shine where something may be laid. */
  glow(shines: Map<string, Glow>): void {
    for (const zone of $$("[data-zone]", this.root)) {
      const how = shines.get(zone.dataset.zone ?? "");
      for (const each of ["ok", "maybe", "open"]) zone.classList.toggle(each, each === how);
    }
  }

  card(id: string): HTMLElement | null {
    return $(`[data-id="${CSS.escape(id)}"]`, this.root);
  }

  find(id: string): Lying | undefined {
    return [...this.places.hands.values(), this.places.pile].flat().find((one) => one.id === id);
  }

  /** A card of the pile with all that lie on it. */
  lifted(id: string): Lying[] {
    const { pile } = this.places;
    return pile.slice(pile.findIndex((one) => one.id === id));
  }

  get bottom(): string {
    const { to_move, players } = this.layout as Layout;
    return to_move ?? players[0];
  }

  /** The hand at the bottom, as it is arranged. */
  hand(): Lying[] {
    const cards = [...(this.places.hands.get(this.bottom) ?? [])];
    if (this.order === "rank") cards.sort((one, other) => rankPlace(one.card) - rankPlace(other.card));
    const known = this.arranged.filter((id) => cards.some((one) => one.id === id));
    if (!known.length) return cards;
    const place = (one: Lying): number => (known.includes(one.id) ? known.indexOf(one.id) : known.length);
    return cards.sort((one, other) => place(one) - place(other));
  }

  /** Sorts the hand by suits, or by ranks if it is sorted by suits. */
  sort(): void {
    this.order = this.order === "suit" ? "rank" : "suit";
    this.arranged = [];
    this.mark({});
  }

  /** Puts cards of the hand before another one, or at the end. */
  arrange(ids: string[], before: string | null): void {
    const rest = this.hand().map(({ id }) => id).filter((id) => !ids.includes(id));
    const at = before && rest.includes(before) ? rest.indexOf(before) : rest.length;
    this.arranged = [...rest.slice(0, at), ...ids, ...rest.slice(at)];
  }

  private draw(layout: Layout): void {
    const { root, marks } = this;
    const others = rotated(layout.players, this.bottom).slice(1);
    root.dataset.density = layout.melds.length > 6 ? "3" : layout.melds.length > 4 ? "2" : layout.melds.length > 2 ? "1" : "0";
    const scrolled = this.scrolled();
    root.replaceChildren();
    if (marks.question !== undefined) root.append(this.head(marks.question));
    root.append(el("div", { cls: "seats" }, ...others.map((name) => this.seat(name))), this.melds(layout), this.middle(layout), this.mine(layout));
    this.scrollAgain(scrolled);
  }

  /** How far what scrolls was scrolled, and how much lay there. */
  private scrolled(): Map<string, { left: number; top: number; cards: number }> {
    const boxes = $$(".pile, .hand, .melds", this.root);
    return new Map(boxes.map((box) => [boxName(box), { left: box.scrollLeft, top: box.scrollTop, cards: box.childElementCount }]));
  }

  /** Scrolls as before; what has become more, and the pile to begin with, to its end. */
  private scrollAgain(before: Map<string, { left: number; top: number; cards: number }>): void {
    for (const box of $$(".pile.long, .hand.long, .melds", this.root)) {
      const was = before.get(boxName(box));
      const grown = box.childElementCount > (was?.cards ?? (box.matches(".pile") ? 0 : Infinity));
      box.scrollLeft = grown && !box.matches(".hand") ? box.scrollWidth : was?.left ?? 0;
      box.scrollTop = grown ? box.scrollHeight : was?.top ?? 0;
    }
  }

  private head(question: string): HTMLElement {
    const undo = this.marks.undo ? el("button", { cls: "undo", "data-do": "undo", "aria-label": "Take back", html: icon("undo") }) : null;
    return el("header", { cls: "head" }, el("h1", { cls: "ask", html: question }), undo);
  }

  private touchable(attributes: Record<string, string>, ...children: (Node | string | null)[]): HTMLElement {
    return el(this.still ? "div" : "button", attributes, ...children);
  }

  private target(place: string): string {
    return this.marks.edited === place ? " target" : "";
  }

  private seat(name: string): HTMLElement {
    const layout = this.layout as Layout;
    const cards = this.places.hands.get(name) ?? [];
    const held = layout.hands[name]?.length ?? null;
    const fan = el("span", { cls: "mini", "aria-hidden": "true" }, ...cards.slice(0, 8).map((one) => this.picture(one, "seat", one.card === "?" || this.marks.covered !== "none")));
    const points = layout.points[name] ?? 0;
    const count = held === null ? null : el("span", { cls: "held", text: `${held} card${held === 1 ? "" : "s"} · ` });
    return this.touchable({ cls: `seat${this.target(`hand ${name}`)}`, "data-seat": name },
      fan, el("span", { cls: "who", text: name }), " ", el("span", { cls: "pts" }, count, `${points} pts`));
  }

  private melds(layout: Layout): HTMLElement {
    const box = el("div", { cls: "melds", role: "group", "aria-label": "On the table", "data-arrows": true }, ...layout.melds.map((meld) => this.meld(meld)));
    if (!this.still) box.append(this.slot());
    else if (!layout.melds.length) box.append(el("p", { cls: "none", text: "No meld yet" }));
    return box;
  }

  private meld(meld: MeldLaid): HTMLElement {
    const owners = [...new Set(meld.cards.map(({ by }) => by).filter((by) => by !== null))];
    const cards = this.places.melds.get(meld.id) ?? [];
    const label = `Meld${owners.length ? ` of ${owners.join(" and ")}` : ""}: ${cards.map(({ card }) => cardName(card)).join(", ")}`;
    return this.touchable({ cls: `meld${meld.stands ? "" : " wrong"}${this.target(meld.id)}`, "data-zone": meld.id, "aria-label": label },
      el("span", { cls: "row" }, ...cards.map((one) => this.picture(one, "meld"))));
  }

  private slot(): HTMLElement {
    const waiting = this.marks.waiting.map((id) => this.find(id)).filter((one) => one !== undefined);
    const slot = el("div", { cls: `meld new${waiting.length ? " holds" : ""}${this.target("new")}`, "data-zone": "new" });
    if (waiting.length) slot.append(el("span", { cls: "row" }, ...waiting.map((one) => this.button(one, "tray"))));
    slot.append(el("button", { cls: "slot", "data-zone-button": "new", "aria-label": "New meld", html: `${icon("plus")}<span>New meld</span>` }));
    return slot;
  }

  private middle(layout: Layout): HTMLElement {
    const { asked } = this.marks;
    const size = layout.stock === null ? "?" : String(layout.stock);
    const label = layout.stock === null ? "Draw from the stock" : `Draw from the stock of ${layout.stock} card${layout.stock === 1 ? "" : "s"}`;
    const stock = this.touchable({ cls: "stock", "data-stock": "", ...(this.still ? {} : { "aria-label": label }) },
      el("span", { cls: "card back", html: face("?", true) }), el("span", { cls: "count", text: size }));
    const pile = el("div", { cls: `pile${this.target("pile")}`, role: "group", "aria-label": "Discard pile, bottom card first", "data-zone": "pile", "data-arrows": true });
    const from = asked ? this.places.pile.findIndex(({ id }) => id === asked) : -1;
    this.places.pile.forEach((one, at) => {
      const node = this.still ? this.picture(one, "pile") : this.button(one, "pile");
      node.classList.toggle("up", from >= 0 && at >= from);
      node.classList.toggle("hint", one.id === this.marks.hint);
      pile.append(node);
    });
    if (!this.places.pile.length) pile.append(el("span", { cls: "empty", text: layout.pile ? "Pile" : "Pile not known" }));
    this.fold(pile, this.places.pile.length, "pile");
    const call = !this.still && this.marks.callable ? el("button", { cls: "rummy", "data-do": "call", html: `${icon("bell")}<span>Rummy!</span>` }) : null;
    return el("div", { cls: "middle" }, stock, pile, call);
  }

  /** Lays the cards of a place in rows where one is too short, and lets them scroll where a few rows are. */
  private fold(box: HTMLElement, cards: number, place: "pile" | "hand"): void {
    const { root } = this;
    if (!root.clientWidth) return;
    const style = getComputedStyle(root);
    const size = (name: string): number => Number.parseFloat(style.getPropertyValue(name));
    const wide = size(`--w-${place}`);
    const beside = place === "hand" ? 0 : STOCK * wide + GAP + (this.marks.callable && !this.still ? size("--call") : 0);
    const room = root.clientWidth - EDGE - beside;
    const inOne = Math.min(place === "hand" ? 8 : 6, this.still ? Infinity : fitting(room, wide, TOUCH));
    if (cards <= inOne) return;
    const low = matchMedia("(max-height: 520px) and (max-width: 999px)").matches;
    const rows = low ? ROWS.low : place === "pile" && matchMedia("(min-width: 1000px)").matches ? ROWS.wide : ROWS.upright;
    const inRow = place === "hand" ? fitting(room, wide * SMALLER, Math.max(TOUCH, wide * SMALLER - 8)) : fitting(room, wide, size("--see-pile"));
    const long = cards > rows * inRow || (low && !this.still);
    box.classList.add(long ? "long" : place === "hand" ? "many" : "deep");
    if (!long) return;
    box.style.setProperty("--columns", String(Math.ceil(cards / rows)));
    if (this.still) box.tabIndex = 0;
  }

  private mine(layout: Layout): HTMLElement {
    const name = this.bottom;
    const waiting = this.marks.waiting;
    const cards = this.hand().filter(({ id }) => !waiting.includes(id));
    const box = el("div", { cls: `hand${this.target(`hand ${name}`)}`, role: "group", "aria-label": `Hand of ${name}`, "data-zone": "hand", "data-arrows": true });
    box.style.setProperty("--n", String(Math.max(2, cards.length)));
    this.fold(box, cards.length, "hand");
    cards.forEach((one, at) => box.append(this.handCard(one, at - (cards.length - 1) / 2, layout.must)));
    if (!cards.length) box.append(el("span", { cls: "empty", text: layout.hands[name] ? "No cards" : "Cards not known" }));
    const turn = el("span", { cls: "turn", html: layout.to_move && !layout.over ? icon("turn") : "" });
    const who = this.touchable({ cls: "me", "data-seat": name },
      turn, el("span", { cls: "who", text: name }), " ", el("span", { cls: "pts", text: `${layout.points[name] ?? 0} pts` }));
    const sort = !this.still && this.marks.covered !== "all" && cards.length > 1 ? el("button", { cls: "sort", "data-do": "sort", "aria-label": this.order === "suit" ? "Sort by rank" : "Sort by suit", html: icon("sort") }) : null;
    return el("div", { cls: "mine" }, el("div", { cls: "mine-head" }, who, sort), box);
  }

  private handCard(one: Lying, offset: number, must: string | null): HTMLElement {
    const covered = this.marks.covered === "all";
    const node = this.still || covered ? this.picture(one, "hand", covered) : this.button(one, "hand");
    node.style.setProperty("--k", String(offset));
    node.style.setProperty("--a", String(Math.abs(offset)));
    const chosen = this.marks.chosen.includes(one.id);
    if (!this.still && !covered) node.setAttribute("aria-pressed", String(chosen));
    node.classList.toggle("up", chosen);
    if (must === one.card && !covered) {
      node.classList.add("must");
      node.append(el("span", { cls: "use-now", "aria-hidden": "true" }));
    }
    return node;
  }

  private button({ id, card }: Lying, place: string): HTMLElement {
    return el("button", { cls: `card ${suitOf(card)}`, "data-id": id, "data-card": card, "data-place": place, "aria-label": cardName(card), html: face(card) });
  }

  private picture({ id, card }: Lying, place: string, covered = false): HTMLElement {
    return el("span", { cls: `card ${suitOf(card)}`, "data-id": id, "data-place": place, role: "img", "aria-label": covered ? "covered card" : cardName(card), html: face(card, covered) });
  }
}

/** Gives each card of a table its identity: its name, and which of several it is. */
function identified(layout: Layout): Places {
  const used = new Map<string, number>();
  const lying = (card: string, place: string): Lying => {
    const name = card === "?" ? `?${place}` : plain(card);
    const number = used.get(name) ?? 0;
    used.set(name, number + 1);
    return { id: number ? `${name}-${number}` : name, card };
  };
  const hands = Object.entries(layout.hands).map(([name, cards]) => [name, (cards ?? []).map((card) => lying(card, name))] as [string, Lying[]]);
  const melds = layout.melds.map((meld) => [meld.id, meld.cards.map(({ card }) => lying(card, meld.id))] as [string, Lying[]]);
  return { hands: new Map(hands), melds: new Map(melds), pile: (layout.pile ?? []).map((card) => lying(card, "pile")) };
}

/** How many cards lie beside each other, each showing some of its width and the last one all of it. */
const fitting = (room: number, wide: number, shown: number): number => Math.max(1, 1 + Math.floor((room - wide) / shown));
const boxName = (box: HTMLElement): string => ["pile", "hand", "melds"].find((name) => box.classList.contains(name)) ?? "";
const rankPlace = (card: string): number => (card === "?" ? 99 : "A23456789TJQKj".indexOf(card === "Jk" ? "j" : card[0]));
const rotated = <T>(all: T[], first: T): T[] => [...all.slice(all.indexOf(first)), ...all.slice(0, all.indexOf(first))];
