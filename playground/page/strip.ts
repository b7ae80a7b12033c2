// The turns of a log as places to go to: a button each, those with a fault marked.
import { el, icon } from "./dom.ts";
import { piecesOf } from "./notation.ts";

/** A line of the log that the strip leads to, what stands on its button, and the hand it is in. */
export interface Stop {
  line: number;
  label: string;
  about: string;
  hand: number;
}

/** The hands of a log: the line that each begins at, and what it is called. */
export interface Hand {
  line: number;
  label: string;
}

/** The turns and scores of a log, and its hands; what stands before the first hand belongs to it. */
export function stopsOf(lines: string[]): { stops: Stop[]; hands: Hand[] } {
  const stops: Stop[] = [];
  const hands: Hand[] = [];
  let turn = 0;
  const numbered = lines.some((text) => /^\s*\d+\./.test(text));
  lines.forEach((text, index) => {
    const line = index + 1;
    const pieces = piecesOf(text);
    const words = (at: number) => text.slice(pieces[at]?.from ?? 0, pieces[at]?.to ?? 0);
    const first = pieces[0]?.is === "number" ? 1 : 0;
    if (pieces[first]?.is === "name") {
      turn = first ? Number.parseInt(words(0), 10) : turn + 1;
      stops.push({ line, label: first || !numbered ? String(turn) : "·", about: `Turn ${turn}, ${words(first).replace(/^"|"$/g, "")}`, hand: hands.length });
    } else if (pieces[0]?.is === "keyword" && /^hand$/i.test(words(0))) {
      hands.push({ line, label: pieces[1]?.is === "number" ? `Hand ${words(1)}` : `Hand ${hands.length + 1}` });
      turn = 0;
    } else if (pieces[0]?.is === "keyword" && /^(score|total)s?$/i.test(words(0))) {
      stops.push({ line, label: words(0).charAt(0).toUpperCase() + words(0).slice(1), about: words(0), hand: hands.length });
    }
  });
  return { stops, hands };
}

/** The hand that a line is in: 0 before the first. */
export function handAt(hands: Hand[], line: number): number {
  return hands.findLastIndex((hand) => hand.line <= line) + 1;
}

/** The strip: the turns of one hand, and a choice of hands where there are several. */
export function strip(lines: string[], cursor: number, faults: Map<number, number>, go: (line: number) => void): HTMLElement[] {
  const { stops, hands } = stopsOf(lines);
  const hand = handAt(hands, cursor);
  const here = stops.filter((stop) => stop.hand === hand || (hand === 0 && stop.hand === 1));
  const buttons = here.map((stop) => {
    const bad = faults.has(stop.line);
    const state = bad ? "a fault" : "in order";
    return el("button", { cls: `${bad ? "bad" : "good"}${stop.line === cursor ? " here" : ""}`, "aria-label": `${stop.about}: ${state}`, "aria-current": stop.line === cursor ? "step" : undefined, "data-line": String(stop.line),
      html: `<span>${stop.label}</span>${icon(bad ? "no" : "yes")}`, on: { click: () => go(stop.line) } });
  });
  const track = el("div", { cls: "track", role: "group", "aria-label": "The turns", "data-arrows": true }, ...buttons);
  return hands.length > 1 ? [chooser(hands, hand, lines.length, faults, go), track] : [track];
}

function chooser(hands: Hand[], hand: number, length: number, faults: Map<number, number>, go: (line: number) => void): HTMLElement {
  const options = hands.map(({ line, label }, index) => {
    const end = hands[index + 1]?.line ?? length + 1;
    const bad = [...faults.keys()].filter((fault) => fault >= line && fault < end).length;
    return el("option", { value: String(line), selected: index + 1 === Math.max(1, hand), text: bad ? `${label}: ${bad} ${bad === 1 ? "fault" : "faults"}` : label });
  });
  const select = el("select", { "aria-label": "Which hand" }, ...options);
  select.addEventListener("change", () => go(Number(select.value)));
  return select;
}

/** The next stop in a direction, or the same where there is none. */
export function neighbour(lines: string[], cursor: number, step: 1 | -1): number {
  const { stops } = stopsOf(lines);
  const next = step > 0 ? stops.find((stop) => stop.line > cursor) : stops.findLast((stop) => stop.line < cursor);
  return next?.line ?? cursor;
}
