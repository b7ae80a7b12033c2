// Counting a hand by tapping its cards, by the points of the table's own rules.
import { el, openSheet, closeSheet, icon } from "./dom.ts";
import { RANKS, SUITS, cardName, littleFace, suitOf } from "./cards.ts";
import { ask } from "./referee.ts";
import { type Counted, type Value, idsOf, pointsOf, tapped, totalOf } from "./counted.ts";
import { houseRules } from "./house.ts";
import { shown, signed } from "./numbers.ts";

interface Values {
  verdict: string;
  name: string;
  cards: Value[];
}

/** Opens the deck; what was counted is handed on. */
export async function openCounting(name: string, players: number, use: (points: number) => void): Promise<void> {
  const body = el("div", { cls: "counting" }, el("p", { cls: "soft", text: "The referee looks up what cards count…" }));
  openSheet(`${name}’s cards`, body, { cls: "deck-sheet" });
  try {
    const values = await ask<Values>("card_values", { players, rules: houseRules() });
    if (values.verdict === "unusable") throw new Error("Our rules cannot be read, so nothing can be counted by them.");
    draw(body, values, new Map(), "laid", use);
  } catch (reason) {
    body.replaceChildren(el("p", { text: (reason as Error).message }));
  }
}

function draw(body: HTMLElement, values: Values, counted: Map<string, Counted>, place: "laid" | "held", use: (points: number) => void): void {
  const again = (at: "laid" | "held" = place) => draw(body, values, counted, at, use);
  const side = (at: "laid" | "held", text: string) => el("button", { text, "aria-pressed": String(place === at), on: { click: () => again(at) } });
  const total = totalOf(values.cards, counted);
  const held = (document.activeElement as HTMLElement | null)?.dataset.id;
  const several = values.cards.some(({ laid }) => laid.length > 1);
  body.replaceChildren(
    el("div", { cls: "segments", role: "group", "aria-label": "Where the cards are" }, side("laid", "On the table +"), side("held", "Still in hand −")),
    deck(values.cards, counted, place, again),
    el("p", { cls: "soft", text: `By the points of “${values.name}”.${several ? " Where an ace or a wild card counts otherwise, tap it again." : ""}` }),
    el("div", { cls: "count-foot" }, el("output", { role: "status", text: shown(total) }),
      el("button", { cls: "main", html: `${icon("yes")}<span>Write ${signed(total)}</span>`, on: { click: () => { closeSheet(); use(total); } } })));
  if (held) body.querySelector<HTMLElement>(`[data-id="${held}"]`)?.focus({ preventScroll: true });
}

function deck(cards: Value[], counted: Map<string, Counted>, place: "laid" | "held", again: () => void): HTMLElement {
  const values = new Map(cards.map((value) => [value.card, value]));
  const cell = (value: Value, id: string) => {
    const { card } = value;
    const now = counted.get(id);
    const points = pointsOf(value, now);
    return el("button", { cls: `cell ${suitOf(card)}${now ? ` ${now.place}` : ""}`, "data-id": id, "aria-pressed": String(now !== undefined), "aria-label": `${cardName(card)}${now ? `, counts ${points}` : ""}`, "data-worth": now ? signed(points) : undefined, html: `<span class="face">${littleFace(card)}</span>`, on: { click: () => {
      const next = tapped(value, now, place);
      if (next === undefined) counted.delete(id);
      else counted.set(id, next);
      again();
    } } });
  };
  const row = (names: string[]) => el("div", { cls: "suit" }, ...names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : idsOf(value).map((id) => cell(value, id));
  }));
  return el("div", { cls: "spread", role: "group", "aria-label": "The deck", "data-arrows": true }, ...SUITS.map((suit: string) => row(RANKS.map((rank: string) => rank + suit))), row(["Jk"]));
}
