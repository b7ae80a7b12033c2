// The booklet of the rules, as the library writes it; the sentences that the game does not say are marked.
import { $, $$, calm, el, fill } from "./dom.ts";

/** A section of the booklet, with its blocks as HTML of the library. */
export interface Section {
  title: string;
  anchor: string;
  blocks: { html: string; keys: string[]; changed: boolean; new: string[] }[];
}

/** Draws the booklet, and brings what was changed last into sight. */
export function drawBooklet(box: HTMLElement, title: string, sections: Section[], latest: string): void {
  const nodes = sections.flatMap((section) => [el("h2", { text: section.title }), ...section.blocks.map((block) => blockOf(block, latest))]);
  fill(box, el("h1", { text: title }), ...nodes);
  const mark = $("mark.latest", box) ?? (latest ? $("mark", box) : null);
  if (mark === null || getComputedStyle(box).overflowY === "visible") return;
  const top = mark.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop - 120;
  box.scrollTo({ top: Math.max(0, top), behavior: calm() ? "auto" : "smooth" });
}

/** Says that the booklet is that of the rules before, as those that are written now cannot be played. */
export function markOutdated(box: HTMLElement): void {
  if ($(".outdated", box)) return;
  box.prepend(el("p", { cls: "outdated", text: "The rules as they are written now cannot be played. This is the booklet from before the last change." }));
}

function blockOf(block: Section["blocks"][number], latest: string): HTMLElement {
  const node = el("div", { cls: "block", html: block.html });
  const cls = block.keys.some((key) => key === latest || key.startsWith(`${latest}.`) || key === `house_rules.${latest}`) ? "changed latest" : "changed";
  for (const text of block.new) markIn(node, text, cls);
  return node;
}

/** Marks a sentence where it stands, or the row of a table that says it. */
function markIn(node: HTMLElement, text: string, cls: string): void {
  const row = $$("tr", node).find((one) => [...one.children].map((cell) => cell.textContent!.trim()).join(" ") === text);
  if (row) return row.classList.add(...cls.split(" "));
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode() as Text | null; at !== null; at = walker.nextNode() as Text | null) {
    const from = at.data.indexOf(text);
    if (from < 0 || at.parentElement?.closest("mark")) continue;
    const range = new Range();
    range.setStart(at, from);
    range.setEnd(at, from + text.length);
    return range.surroundContents(el("mark", { cls }));
  }
}
