// The rules of the table, which every door asks by.
import { Aside } from "./aside.ts";
import { keep, kept } from "./dom.ts";

const KEPT = "rules";
/** What a table begins with: a known game, and nothing changed. */
export const PLAIN = "id: our-house\nname: How we play\nextends: [500-rummy]\n";

let text = kept(KEPT) ?? PLAIN;
const listeners = new Set<() => void>();

/** The text of the rules file. */
export const houseText = (): string => text;

/** The rules as questions take them. */
export const houseRules = (): { text: string } => ({ text });

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
