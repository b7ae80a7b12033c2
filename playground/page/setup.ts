// Cards get onto the table from a deck laid out, one tap a card; the hand is chosen first, other places by tapping them.
import type { Board } from "./board.ts";
import { UNMARKED } from "./board.ts";
import { cardName, face, littleFace, plain, RANKS, SUITS, suitOf } from "./cards.ts";
import { $, arrows, el, escape, icon, keep, kept, openSheet } from "./dom.ts";
import { cardsOn, emptyLayout, type Layout, type Position, type Rules, type Stand } from "./table.ts";

interface Deck {
  /** Cards that lie somewhere already, and those at the place that is being filled. */
  gone?: Set<string>;
  here?: Set<string>;
  pick: (card: string, cell: HTMLElement) => void;
  unknown?: boolean;
}

/** The deck as a grid, seven columns on a phone and fourteen on a desk. */
function deckGrid({ gone = new Set(), here = new Set(), pick, unknown = false }: Deck): HTMLElement {
  const grid = el("div", { cls: "deck", role: "group", "aria-label": "The deck", "data-arrows": true });
  const cell = (card: string): HTMLElement => {
    const wild = card === "Jk" || card === "?";
    const node = el("button", { cls: `cell ${suitOf(card)}${!wild && gone.has(card) ? " gone" : ""}${here.has(card) ? " here" : ""}`, "data-cell": card, "aria-label": cardName(card), html: littleFace(card) });
    if (!wild) node.setAttribute("aria-pressed", String(here.has(card)));
    node.addEventListener("click", () => pick(card, node));
    return node;
  };
  SUITS.forEach((suit, at) => {
    const row = el("div", { cls: "suit" }, ...RANKS.map((rank) => cell(rank + suit)));
    if (at === 0) row.append(cell("Jk"));
    if (at === 1 && unknown) row.append(cell("?"));
    grid.append(row);
  });
  arrows(grid, ".cell");
  return grid;
}

/** A sheet with the deck, to name a card. */
export function openDeck(title: string, gone: Set<string>, pick: (card: string) => void): void {
  openSheet(title, el("div", {}, deckGrid({ gone, pick })), { cls: "deck-sheet" });
}

/** A table that is being laid out, as it is kept on the device; `done` once it was asked about, or nothing lay there yet. */
interface Draft { layout: Layout; rules: Rules; done: boolean }
/** What follows: a table was laid out, or the example is wanted, and in any case laying out has ended. */
interface Follows { done: (laid: Stand | null) => void; closed: () => void }
const KEPT = "laying-out";

/** What was being laid out before. */
export function draftLeft(): Draft | null {
  try { return JSON.parse(kept(KEPT) ?? "null") as Draft | null; } catch { return null; }
}

export class Setup {
  readonly root = el("div", { id: "setup", hidden: true });
  private layout: Layout = emptyLayout([]);
  private place = "";
  private follows: Follows = { done: () => {}, closed: () => {} };
  private rules: Rules = "";
  private known = "";

  constructor(private readonly board: Board) {}

  get open(): boolean { return !this.root.hidden; }

  /** Begins with a table that is to be changed, which may be empty. */
  begin({ layout, rules, done }: Draft, follows: Follows): void {
    this.layout = structuredClone(layout);
    Object.assign(this, { rules, follows });
    this.keepDraft(done);
    this.place = `hand ${this.layout.to_move}`;
    this.root.hidden = false;
    document.body.classList.add("setting-up");
    scrollTo(0, 0);
    this.redraw();
  }

  /** Ends it, whatever lies there; what was laid stays kept. */
  close(): void {
    if (!this.open) return;
    this.root.hidden = true;
    document.body.classList.remove("setting-up");
    scrollTo(0, 0);
    this.follows.closed();
  }

  private keepDraft(done: boolean): void {
    const { layout, rules } = this;
    this.known = JSON.stringify(layout);
    keep(KEPT, JSON.stringify({ layout, rules, done } satisfies Draft));
  }

  /** A tap on the cloth meanwhile: the place under it is filled from now on, a card under it is taken away. */
  tap(event: Event): void {
    const target = event.target as HTMLElement;
    const seat = target.closest<HTMLElement>("[data-seat]")?.dataset.seat;
    const zone = target.closest<HTMLElement>("[data-zone]")?.dataset.zone;
    if (target.closest("[data-stock], [data-do]")) return;
    if (seat) this.place = `hand ${seat}`;
    else if (zone === "hand") this.place = `hand ${this.layout.to_move}`;
    else if (zone) this.place = zone;
    const card = target.closest<HTMLElement>("button.card")?.dataset.card;
    if (card && zone) this.remove(card);
    this.redraw();
  }

  private cards(): string[] {
    const [kind, name] = this.place.split(/ (.*)/);
    if (kind === "hand") return (this.layout.hands[name] ??= []);
    if (kind === "pile") return (this.layout.pile ??= []);
    return [];
  }

  private here(): string[] {
    const meld = this.meld();
    return meld ? meld.cards.map(({ card }) => card) : this.cards();
  }

  private meld(): Layout["melds"][number] | undefined {
    return this.layout.melds.find(({ id }) => id === this.place);
  }

  private pick(card: string, cell: HTMLElement): void {
    const rect = cell.getBoundingClientRect();
    const one = card === "?" || card === "Jk";
    if (!one && this.here().some((other) => plain(other) === card)) this.remove(card);
    else {
      if (!one) this.removeEverywhere(card);
      this.put(card);
    }
    this.redraw(new Map([[card, rect]]));
    $(`[data-cell="${card}"]`, this.root)?.focus({ preventScroll: true });
  }

  private put(card: string): void {
    if (this.place === "new") {
      const number = 1 + Math.max(0, ...this.layout.melds.map(({ id }) => Number(id.slice(1))));
      this.layout.melds.push({ id: `m${number}`, cards: [], stands: true });
      this.place = `m${number}`;
    }
    const meld = this.meld();
    if (meld) meld.cards.push({ card, by: meld.cards[0]?.by ?? this.layout.to_move });
    else this.cards().push(card);
  }

  private remove(card: string): void {
    const meld = this.meld();
    const cards: unknown[] = meld ? meld.cards : this.cards();
    const at = this.here().findIndex((one) => one === card || plain(one) === card);
    if (at >= 0) cards.splice(at, 1);
  }

  private removeEverywhere(card: string): void {
    const { layout } = this;
    for (const name of Object.keys(layout.hands)) layout.hands[name] = layout.hands[name]?.filter((one) => one !== card) ?? null;
    layout.pile = layout.pile?.filter((one) => one !== card) ?? null;
    for (const meld of layout.melds) meld.cards = meld.cards.filter((laid) => plain(laid.card) !== card);
  }

  private places(): [string, string, number][] {
    const { layout } = this;
    const mover = layout.to_move ?? "";
    return [
      [`hand ${mover}`, `Hand of ${mover}`, layout.hands[mover]?.length ?? 0],
      ["pile", "Pile", layout.pile?.length ?? 0],
      ...layout.melds.filter(({ cards }) => cards.length).map(({ id, cards }): [string, string, number] => [id, `Meld ${id.slice(1)}`, cards.length]),
      ["new", "New meld", 0],
      ...layout.players.filter((name) => name !== mover).map((name): [string, string, number] => [`hand ${name}`, name, layout.hands[name]?.length ?? 0]),
    ];
  }

  private redraw(from?: Map<string, DOMRect>): void {
    const { layout } = this;
    layout.melds = layout.melds.filter(({ id, cards }) => cards.length || id === this.place);
    if (JSON.stringify(layout) !== this.known) this.keepDraft(false);
    this.board.show(layout, { ...UNMARKED, question: "What lies where?", edited: this.place }, from);
    const everywhere = cardsOn(layout);
    const tabs = this.places().map(([id, label, number]) => el("button", {
      "aria-pressed": String(this.place === id), html: `${escape(label)}${number ? ` <b>${number}</b>` : ""}`,
      on: { click: () => { this.place = id; this.redraw(); } },
    }));
    this.root.replaceChildren(
      el("div", { cls: "places", role: "group", "aria-label": "What is filled", "data-arrows": true }, ...tabs),
      this.tray(), deckGrid({ gone: everywhere, here: new Set(this.here().map(plain)), pick: (card, cell) => this.pick(card, cell), unknown: true }), this.ends(everywhere.size > 0));
    this.reveal();
  }

  private tray(): HTMLElement {
    const cards = this.here();
    const tray = el("div", { cls: "tray", "data-arrows": true });
    for (const card of cards) {
      const away = (): void => { this.remove(card); this.redraw(); };
      tray.append(el("button", { cls: `card ${suitOf(card)}`, "aria-label": `Take away the ${cardName(card)}`, html: face(card), on: { click: away } }));
    }
    if (!cards.length) tray.append(el("p", { cls: "soft", text: this.hint() }));
    const [kind, name] = this.place.split(/ (.*)/);
    if (kind === "hand" && name !== this.layout.to_move) {
      const turn = (): void => { this.layout.to_move = name; this.redraw(); };
      tray.append(el("button", { cls: "turn-of", html: `${icon("turn")}<span>It is ${escape(name)}’s turn</span>`, on: { click: turn } }));
    }
    return tray;
  }

  private hint(): string {
    if (this.place === `hand ${this.layout.to_move}`) return "What is in the hand? Tap the cards below.";
    if (this.place === "pile") return "What lies there? Begin with the bottom card.";
    if (this.place === "new") return "Tap the cards of the meld.";
    return "Tap “?” for cards that nobody has seen.";
  }

  private ends(filled: boolean): HTMLElement {
    const close = (stand: Stand | null): void => {
      this.keepDraft(true);
      this.close();
      this.follows.done(stand);
    };
    return el("div", { cls: "acts done" },
      el("button", { html: `${icon("back")}<span>The example</span>`, on: { click: () => close(null) } }),
      el("button", { cls: "main", html: "<span>That is all</span>", disabled: !filled, on: { click: () => close(this.stand()) } }));
  }

  private stand(): Stand {
    const { layout } = this;
    return { layout, position: positionOf(layout), since: [], rules: this.rules, path: null, moves: [], turns: [] };
  }

  /** Keeps what is filled in sight above the panel. */
  private reveal(): void {
    const tab = $(".places [aria-pressed=true]", this.root);
    const strip = $(".places", this.root);
    strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - tab.offsetWidth) / 2;
    if (getComputedStyle(this.root).position !== "fixed") return;
    const target = $(".target", this.board.root)?.getBoundingClientRect();
    const edge = this.root.getBoundingClientRect().top;
    if (target && target.bottom > edge - 10) scrollBy({ top: target.bottom - edge + 16 });
    else if (target && target.top < 0) scrollBy({ top: target.top - 16 });
  }
}

/** A table as a position file says it; what nobody said is left out. */
function positionOf(layout: Layout): Position {
  const hands = Object.entries(layout.hands).filter(([, cards]) => cards?.length).map(([name, cards]) => [name, (cards ?? []).join(" ")]);
  const table = layout.melds.filter(({ cards }) => cards.length).map(({ id, cards }) => {
    const by = cards[0].by ?? layout.to_move ?? layout.players[0];
    return [id, { [by]: cards.map(({ card }) => card).join(" ") }];
  });
  return {
    players: layout.players, to_move: layout.to_move, hands: Object.fromEntries(hands),
    ...(table.length ? { table: Object.fromEntries(table) } : {}),
    pile: (layout.pile ?? []).join(" "),
    ...(layout.stock === null ? {} : { stock: layout.stock }),
  };
}
