// What changes against the game: each difference, and for each a short game that shows it and can be played.
import { closeSheet, el, escape, icon, openSheet } from "./dom.ts";
import { ask } from "./referee.ts";
import type { Finding } from "./findings.ts";
import { FIRST, houseRules } from "./house.ts";
import { showLog } from "./log.ts";
import { sentence } from "./words.ts";

interface Said {
  value: unknown;
  no_effect: string | null;
}
interface Difference {
  key: string;
  first: Said;
  second: Said;
}
interface Example {
  log: string;
  legal_by: "rules" | "other";
  finding: Finding;
}
interface Diff {
  verdict: string;
  findings: Finding[];
  differences?: Difference[];
  example?: Example | null;
}

/** Lists what the rules of the table change. */
export async function openChanges(settings: { game: string } | null): Promise<void> {
  const body = el("div", { cls: "changes" }, el("p", { cls: "soft", text: "The referee compares…" }));
  openSheet("What changes", body, { cls: "wide-sheet" });
  const game = settings?.game ?? FIRST;
  try {
    const told = await ask<Diff>("diff", { rules: houseRules(), other: game, example: false });
    const rows = (told.differences ?? []).map((difference) => row(difference, game));
    const none = told.verdict === "unusable" ? `The rules cannot be read: line ${told.findings[0]?.line ?? 1}.` : "Nothing: these rules say the same as the game.";
    body.replaceChildren(...(rows.length ? rows : [el("p", { text: none })]));
  } catch (reason) {
    body.replaceChildren(el("p", { text: (reason as Error).message }));
  }
}

/** A value as people read it; of a house rule what it says. */
function written(value: unknown): string {
  if (value === null) return "–";
  if (typeof value !== "object") return String(value);
  const { says } = value as { says?: string };
  return says ?? JSON.stringify(value).replaceAll('"', "").replaceAll(",", ", ");
}

function row({ key, first, second }: Difference, game: string): HTMLElement {
  const shown = el("div", { cls: "example", "aria-live": "polite" });
  const show = el("button", { html: `${icon("turn")}<span>Show me</span>`, "aria-label": `Show me what ${key} changes`, on: { click: () => void showExample(shown, key, second.value, game) } });
  return el("section", { cls: "difference" }, el("p", { html: `<code>${escape(key)}</code>` }), el("p", { html: `<s>${escape(written(first.value))}</s> → <b>${escape(written(second.value))}</b>` }), show, shown);
}

/** A game in which this one difference decides, by these rules alone or by all of them together. */
async function showExample(box: HTMLElement, key: string, value: unknown, game: string): Promise<void> {
  box.replaceChildren(el("p", { cls: "soft", text: "The referee makes up games until one shows it…" }));
  const alone = { name: game, settings: [`${key}=${JSON.stringify(value)}`] };
  let told = value === null || key.startsWith("house_rules.") ? null : await ask<Diff>("diff", { rules: alone, other: game });
  if (!told?.example) told = await ask<Diff>("diff", { rules: houseRules(), other: game });
  if (!told.example || !isAbout(told, key)) return box.replaceChildren(el("p", { text: "No short game shows it: it matters over a whole hand, or to nothing that a log can say." }));
  const { log, legal_by: by, finding } = told.example;
  const lines = log.trimEnd().split("\n").map((text, index) => el("li", { cls: index + 1 === finding.line ? "bad" : "", text: text || " " }));
  const allowed = by === "rules" ? "By our rules this is allowed; by the game it is not:" : "By the game this is allowed; by our rules it is not:";
  const play = () => {
    closeSheet();
    showLog(by === "rules" ? `[Rules "${game}"]\n${log}` : log, (finding.line ?? 1) + (by === "rules" ? 1 : 0));
  };
  box.replaceChildren(el("p", { html: `${allowed} ${sentence(finding.message)}` }), el("ol", { cls: "mini-log" }, ...lines), el("button", { cls: "main", html: `${icon("turn")}<span>Play it</span>`, on: { click: play } }));
}

/** Whether a game that shows some differences shows this one: it is the only one, or what is found rests on it. */
function isAbout({ differences = [], example }: Diff, key: string): boolean {
  const rule = example?.finding.rule?.key ?? "";
  return differences.length === 1 || rule === key || rule.startsWith(`${key}.`) || key.startsWith(`${rule}.`);
}
