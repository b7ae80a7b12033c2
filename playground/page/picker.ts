// By which rules a table is judged: a known game, with options if somebody likes, or our rules.
import { asked } from "./answers.ts";
import { closeSheet, el, escape, openSheet } from "./dom.ts";
import { FIRST, houseRules, houseText, PLAIN } from "./house.ts";
import type { Rules } from "./table.ts";

/** A game or an option that ships. */
export interface Ruleset { id: string; name: string; type: string; about: string }
/** A known game with some options. */
interface Game { game: string; options: string[] }

const FIRST_NAME = "500 Rummy";
const shelf = async (): Promise<Ruleset[]> => (await asked<{ rulesets: Ruleset[] }>("shelf")).rulesets;

/** The rules of a game with its options, as questions take them. */
function rulesOf({ game, options }: Game): Rules {
  if (!options.length) return game === FIRST ? "" : game;
  return { text: `id: table\nname: This table\nextends: [${[game, ...options].join(", ")}]\n` };
}

/** The game and the options that rules are made of; null where they are more than that. */
function gameOf(rules: Rules): Game | null {
  if (typeof rules === "string") return { game: rules || FIRST, options: [] };
  const [, named = ""] = /^id: table\nname: This table\nextends: \[([\w, -]+)\]\n$/.exec(rules.text) ?? [];
  const [game, ...options] = named.split(", ");
  return game ? { game, options } : null;
}

/** What rules are called on the table. */
export async function nameOf(rules: Rules): Promise<string> {
  const made = gameOf(rules);
  if (made === null) return /^name: *(.+)/m.exec((rules as { text: string }).text)?.[1] ?? "Our rules";
  const name = made.game === FIRST ? FIRST_NAME : (await shelf()).find(({ id }) => id === made.game)?.name ?? made.game;
  return made.options.length ? `${name}, with ${made.options.length} more` : name;
}

/** A row of a list to choose from, on a sheet that closes then. */
export const gameRow = (name: string, about: string, pressed: boolean, choose: () => void): HTMLElement =>
  el("li", {}, el("button", { "aria-pressed": String(pressed), html: `<b>${escape(name)}</b><span>${escape(about)}</span>`, on: { click: () => { closeSheet(); choose(); } } }));

/** Opens the list of games and options; each choice is handed on at once. */
export async function openPicker(rules: Rules, pick: (rules: Rules) => void): Promise<void> {
  const all = await shelf();
  const made = gameOf(rules);
  const chosen: Game = made ?? { game: FIRST, options: [] };
  const ours = gameRow("Our rules", houseText() === PLAIN ? "Nothing differs from 500 Rummy yet." : "As you have written them under “Our rules”.", made === null,
    () => pick(houseRules()));
  const games = all.filter(({ type }) => type === "game").map(({ id, name, about }) =>
    gameRow(name, about, made?.game === id, () => pick(rulesOf({ game: id, options: [] }))));
  const options = all.filter(({ type }) => type === "option").map(({ id, name, about }) =>
    gameRow(name, about, chosen.options.includes(id), () => {
      const others = chosen.options.filter((one) => one !== id);
      pick(rulesOf({ game: chosen.game, options: others.length < chosen.options.length ? others : [...others, id] }));
    }));
  openSheet("What is played here?", el("div", {},
    el("ul", { cls: "games" }, ours, ...games),
    el("details", { cls: "more", open: chosen.options.length > 0 }, el("summary", {}, el("h2", { text: "With an option" })), el("ul", { cls: "games" }, ...options))), { cls: "side-sheet" });
}
