// Findings as people read them: a sentence with its cards drawn, the place as a line, the code small.
import { el, icon } from "./dom.ts";
import type { Edit, Mark } from "./editor.ts";
import type { Finding as Told } from "./table.ts";
import { sentence, told as say } from "./words.ts";

/** What the referee found; keys as the service has them. */
export interface Finding extends Told {
  severity: "error" | "warning" | "info";
  file?: string;
  line?: number;
  player?: string | null;
  facts: string[];
  fixes: { title: string; sure: boolean; edits: Edit[] }[];
}

/** The place as a person says it; the column stays for those who listen. */
function placeOf({ line, column }: Finding): HTMLElement {
  return el("span", { cls: "place" }, `line ${line}`, column ? el("span", { cls: "hide", text: `, column ${column}` }) : null);
}

/** How many characters of a message are read at a glance. */
const SHORT = 120;

/** What a message says first, where it goes on to list all that may stand there. */
export const brief = (message: string): string => (message.length > SHORT ? message.split("; ")[0] ?? message : message);

/** All of a long message, to be opened: a command for a shell, which no page has, is left out. */
export function wholly({ message }: Finding): HTMLElement | null {
  if (brief(message) === message) return null;
  const text = message.replace(/[:;] see `meldref [^`]*`/, "");
  return el("details", { cls: "whole" }, el("summary", { text: "All of it" }), el("p", { html: sentence(text) }));
}

/** A finding as a mark in an editor, with its remedies. */
export function markOf(finding: Finding, write: (edits: Edit[]) => void): Mark {
  const { line = 1, column = 1, severity } = finding;
  return {
    line, column, endColumn: Math.max(finding.end_column ?? 0, column + 1), severity,
    say: () => el("span", { html: `${sentence(brief(finding.message))} <small class="code">${finding.code}</small>` }),
    fixes: finding.fixes.map(({ title, edits }) => ({ text: title, apply: () => write(edits) })),
  };
}

/** A list of findings: each leads to its place. `more` stands behind it, and with it a long message in short. */
export function findingList(findings: Finding[], go: (finding: Finding) => void, more?: (finding: Finding) => (HTMLElement | null)[]): HTMLElement {
  const shorten = more ? brief : (message: string): string => message;
  const item = (finding: Finding) =>
    el("li", { cls: `found ${finding.severity}` },
      el("button", { cls: "to-line", on: { click: () => go(finding) } },
        placeOf(finding), el("span", { cls: "words", html: sentence(shorten(finding.message)) }), el("span", { cls: "code", text: finding.code })),
      ...(more?.(finding) ?? []));
  return el("ul", { cls: "found-list", "aria-label": "What was found" }, ...findings.map(item));
}

/** A button for each way to put a finding right. */
export function fixButtons(finding: Finding, write: (edits: Edit[]) => void): HTMLElement[] {
  return finding.fixes.map(({ title, edits }) =>
    el("button", { html: `${icon("pen")}<span>${say(title)}</span>`, on: { click: () => write(edits) } }));
}
