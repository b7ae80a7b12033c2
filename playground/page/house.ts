// The rules of the table, which every door asks by.
import { Aside } from "./aside.ts";
import { keep, kept } from "./dom.ts";
import type { Rules } from "./table.ts";

const KEPT = "rules";
/** The game that is played where nobody named one. */
export const FIRST = "500-rummy";
/** What a table begins with: a known game, and nothing changed. */
export const PLAIN = `id: our-house\nname: How we play\nextends: [${FIRST}]\n`;

let text = kept(KEPT) ?? PLAIN;
const listeners = new Set<() => void>();

/** The text of the rules file. */
export const houseText = (): string => text;

/** The rules as questions take them. */
export const houseRules = (): { text: string } => ({ text });

/** By which rules a log is judged: by its own, unless it names a file, which is the one of this page, or none. */
export function rulesFor(log: string): Rules {
  const named = /^\s*\[Rules\s+"([^"]*)"/m.exec(log)?.[1];
  return named === undefined || /[./\\]/.test(named) ? houseRules() : "";
}

/** Takes over another text, and tells who listens. */
export function setHouse(now: string): void {
  if (now === text) return;
  text = now;
  keep(KEPT, text);
  for (const listener of listeners) listener();
}

/** Offers back the rules that others took the place of. */
export const aside = new Aside(KEPT, "Back to your rules", [PLAIN], (now) => replaceHouse(now));

/** Takes over rules from elsewhere; those that were there are put aside. */
export function replaceHouse(now: string): void {
  aside.replace(text, now);
  setHouse(now);
}

/** Tells whenever the rules have changed. */
export function onHouse(listener: () => void): void {
  listeners.add(listener);
}
