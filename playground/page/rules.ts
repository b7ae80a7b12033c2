// Our rules: what differs from a known game, by touch or as text; the booklet beside it changes along.
import { $, $$, el, escape, icon, openSheet } from "./dom.ts";
import { asked, recorded } from "./answers.ts";
import { ask, onReferee } from "./referee.ts";
import { drawBooklet, markOutdated, type Section } from "./booklet.ts";
import { openChanges } from "./changes.ts";
import type { Door } from "./door.ts";
import { type Edit, Editor, type Offers } from "./editor.ts";
import { brief, type Finding, findingList, fixButtons, markOf, wholly } from "./findings.ts";
import { type Given, openFile, saveText } from "./files.ts";
import { FIRST, PLAIN, aside, houseText, onHouse, replaceHouse, setHouse } from "./house.ts";
import { type Ruleset, gameRow } from "./picker.ts";
import { entered, type Refusal, type Setting, settingRow } from "./setting.ts";
import { sentence } from "./words.ts";

const FILES = ".yaml,.yml,.txt,text/yaml";
const PAUSE = 200;

/** What ships: games, options and the cookbook. */
interface Shelf {
  rulesets: Ruleset[];
  recipes: { id: string; text: string }[];
  cookbook: { id: string; section: string; text: string }[];
}

/** What a rules file has for every key. */
interface Settings {
  verdict: string;
  findings: Finding[];
  name: string;
  game: string;
  options: string[];
  recipes: string[];
  house_rules: string[];
  asked_first: string[];
  sections: { name: string; text: string; settings: Setting[] }[];
}

/** A change that a card or a switch makes. */
interface Change {
  settings?: Record<string, string | null>;
  recipes?: Record<string, boolean>;
  options?: Record<string, boolean>;
  game?: string;
}

const NOTHING: Shelf = { rulesets: [], recipes: [], cookbook: [] };

let editor: Editor;
let shelf: Shelf = NOTHING;
let settings: Settings | null = null;
let latest = "";
/** What was entered at a switch last, the text of the rules since then, and why it could not be written into it. */
let tried: { key: string; written: string; text: string; why: string } | null = null;
/** Why the rules are not accepted as they are written now. */
let refused: Finding | null = null;
/** What was entered last, as long as nothing else was written since. */
const entry = (): typeof tried => (tried?.text === houseText() ? tried : null);
/** The key to which somebody is led once its switch is there. */
let sought = "";
let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Opens the rules of the table; what follows the door in the address is a key to lead to. */
export function mountRules(section: HTMLElement): Door {
  shelf = recorded<Shelf>("shelf") ?? NOTHING;
  section.dataset.tab = "switches";
  section.replaceChildren(...frame());
  editor = new Editor($("#rules-paper"), { label: "Rules", kind: "rules", hint: "extends: [500-rummy]", changed: (text) => { latest = ""; setHouse(text); }, moved: () => {}, offers });
  editor.set(houseText());
  onHouse(() => {
    if (editor.text !== houseText()) editor.set(houseText());
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), PAUSE);
  });
  drawSets();
  void refresh();
  onReferee(({ state }) => {
    if (state === "ready") void refresh();
  });
  return { open: (key) => { if (key) showKey(key); } };
}

/** Leads to the switch of a key, as from a verdict that rests on it. */
function showKey(key: string): void {
  pick("switches");
  sought = settings === null ? key : "";
  const row = $(`[data-key="${CSS.escape(key)}"]`, $("#sets")) ?? $(`[data-key^="${CSS.escape(key)}."]`, $("#sets"));
  row?.closest("details")?.setAttribute("open", "");
  row?.scrollIntoView({ block: "center" });
  row?.classList.add("hint");
  $<HTMLElement>("button, input, select", row ?? undefined)?.focus({ preventScroll: true });
}

/** Takes rules from files: a rules file as it is. */
function takeRules([file]: Given[]): void {
  if (!file || file.encoded) return;
  if (file.text.trim() === "") $("#rules-sum").textContent = `There is nothing in ${file.name}.`;
  else replaceHouse(file.text);
}

function frame(): HTMLElement[] {
  const tab = (name: string, text: string) => el("button", { "data-tab": name, "aria-pressed": String(name === "switches"), text, on: { click: () => pick(name) } });
  const tool = (label: string, sign: string, act: () => void) => el("button", { html: `${icon(sign)}<span>${label}</span>`, on: { click: act } });
  return [
    el("h1", { cls: "hide", text: "Our rules" }),
    el("div", { cls: "rules-top" }, el("button", { id: "rules-game", on: { click: chooseGame } }), el("p", { id: "rules-sum", role: "status" }),
      el("div", { cls: "segments", id: "rules-tabs", role: "group", "aria-label": "Show" }, tab("switches", "Switches"), tab("booklet", "Booklet"), tab("yaml", "As text"))),
    el("div", { id: "sets" }),
    el("article", { id: "booklet", tabindex: "0", "aria-label": "The booklet" }),
    el("div", { id: "yaml-box" }, el("h2", { text: "The rules file" }), el("div", { id: "rules-paper", cls: "paper" }), el("div", { id: "rules-list", "aria-live": "polite" }),
      el("div", { cls: "tools" }, tool("What changes?", "switch", () => openChanges(settings)), tool("Save it", "save", () => saveText("our-house.yaml", houseText(), "text/yaml")), tool("Open a file", "book", () => openFile(FILES, takeRules)),
        tool("From our logs", "pen", inferFrom), tool("Start over", "start", () => replaceHouse(PLAIN)), aside.button)),
  ];
}

function pick(name: string): void {
  $("#rules").dataset.tab = name;
  for (const button of $$("#rules-tabs button")) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
}

const offers = (before: string): Promise<Offers> => ask<Offers>("complete_rules", { before });

// --- what follows a change ----------------------------------------------------------------------

/** Asks what the rules say now; of questions that are overtaken the answers are left. */
async function refresh(): Promise<void> {
  const now = (round += 1);
  const text = houseText();
  try {
    const told = await asked<Settings>("settings", { text });
    if (now !== round) return;
    const same = JSON.stringify(told) === JSON.stringify(settings) && refused === null;
    if (told.verdict !== "unusable") settings = told;
    refused = told.verdict === "unusable" ? told.findings.find(({ severity }) => severity === "error") ?? null : null;
    if (!same) drawSets();
    if (refused) markOutdated($("#booklet"));
    if (sought && settings !== null) showKey(sought);
    if (told.verdict !== "unusable") await drawBook(text, told.game, now);
    const checked = await ask<{ findings: Finding[]; cases: Case[] }>("check_rules", { text });
    if (now !== round) return;
    drawFindings(checked.findings, checked.cases);
  } catch (reason) {
    if (now === round) $("#rules-sum").textContent = (reason as Error).message;
  }
}

async function drawBook(text: string, game: string, now: number): Promise<void> {
  const book = await asked<{ title: string; sections: Section[] }>("rulebook", { rules: { text }, against: game });
  if (now === round) drawBooklet($("#booklet"), book.title, book.sections, latest);
}

interface Case {
  line: number;
  name: string;
  passed: boolean;
  text: string;
}

function drawFindings(findings: Finding[], cases: Case[]): void {
  editor.mark(findings.map((finding) => markOf(finding, write)));
  const failed = cases.filter((one) => !one.passed).map((one) => el("li", { cls: "found error" }, el("p", { text: `line ${one.line}: the case “${one.name}” comes out differently` }), el("pre", { text: one.text })));
  const list = findings.length ? findingList(findings, (finding) => editor.goTo(finding.line ?? 1, { focus: true }), (finding) => [wholly(finding), ...fixButtons(finding, write)]) : null;
  const passed = cases.length && !failed.length ? el("p", { cls: "soft", text: `${cases.length === 1 ? "Its case comes" : `All ${cases.length} cases come`} out as written.` }) : null;
  $("#rules-list").replaceChildren(...[list, failed.length ? el("ul", { cls: "found-list" }, ...failed) : null, passed].filter((one) => one !== null));
  const error = findings.find((finding) => finding.severity === "error");
  if (error) sayRefused(error);
}

/** Says on top why the rules are not accepted. */
function sayRefused(finding: Finding): void {
  $("#rules-sum").innerHTML = `<b class="bad">These rules cannot be played: line ${finding.line}.</b> ${sentence(brief(finding.message))}`;
}

/** Beside the switch that was touched, or that a finding is about: why it is not accepted, and what would make it right. */
function refusalOf({ key }: Setting): Refusal | null {
  const at = entry();
  if (at?.why && at.key === key) return { text: sentence(at.why), mend: null };
  if (!refused || key !== (at?.key ?? refused.rule?.key)) return null;
  return { text: sentence(brief(refused.message)), mend: mendOf(refused) };
}

/** A finding's advice to take a word out of a list, as a button. */
function mendOf({ help = [] }: Finding): Refusal["mend"] {
  const [, word, key] = help.map((one) => /^remove (\w+) from ([\w.]+)/.exec(one)).find(Boolean) ?? [];
  const list = settings?.sections.flatMap((section) => section.settings).find((one) => one.key === key)?.value;
  if (!word || !key || !Array.isArray(list)) return null;
  const rest = list.filter((one) => one !== word);
  const label = key !== "melds.wild.cards" ? `Remove ${word} from ${key}` : rest.length ? `No ${word} is wild` : "No card is wild";
  return { label: escape(label), do: () => void change({ settings: { [key]: `[${rest.join(", ")}]` } }, key) };
}

const write = (edits: Edit[]): void => editor.write(edits);

/** Makes a change in the text, as the referee writes it. */
async function change(what: Change, about: string): Promise<void> {
  const written = what.settings?.[about];
  // Where something else is wrong already, the switch is innocent of it.
  const innocent = refused !== null && entry()?.key !== about;
  const told = await ask<{ text: string | null; wrong: string[] }>("change_rules", { text: houseText(), ...what });
  const text = told.text ?? houseText();
  const why = told.text === null ? told.wrong.join(" ") : "";
  tried = typeof written === "string" && !(innocent && told.text) ? { key: about, written, text, why } : null;
  if (told.text === null) {
    drawSets();
    $("#rules-sum").innerHTML = `<b class="bad">${escape(why)}</b>`;
    return;
  }
  latest = about;
  setHouse(told.text);
}

// --- switches and cards -------------------------------------------------------------------------

function drawSets(): void {
  const game = shelf.rulesets.find(({ id }) => id === (settings?.game ?? FIRST));
  $("#rules-game").innerHTML = `<span><small>Closest to</small><b>${escape(game?.name ?? "")}</b></span>${icon("down")}`;
  const all = settings?.sections.flatMap((section) => section.settings) ?? [];
  const number = all.filter((one) => one.differs).length + (settings?.house_rules.length ?? 0);
  $("#rules-sum").textContent = settings === null ? "" : number ? `${number} ${number === 1 ? "difference" : "differences"}` : "Nothing differs yet";
  if (refused) sayRefused(refused);
  const box = $("#sets");
  const held = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
  const place = held ? controlsOf(box, held).indexOf(document.activeElement as HTMLElement) : -1;
  const open = new Set($$("details[open]", box).map((one) => one.dataset.name));
  const first = new Set(settings?.asked_first ?? []);
  box.replaceChildren(cards(), ...(all.length ? [group("asked", "What tables differ on most", "", all.filter((one) => first.has(one.key)), true)] : []),
    ...(settings?.sections ?? []).map(({ name, text, settings: those }) => group(name, titleOf(name, text), text, those, open.has(name))));
  if (held) controlsOf(box, held)[Math.max(0, place)]?.focus({ preventScroll: true });
}

const controlsOf = (box: HTMLElement, key: string): HTMLElement[] => $$<HTMLElement>(`[data-key="${CSS.escape(key)}"]`, box).flatMap((row) => (row.matches("button") ? [row] : $$<HTMLElement>("button, input, select", row)));

/** A section's name as people say it: what stands before its colon, or its key. */
function titleOf(name: string, text: string): string {
  const title = /^([^:]{3,24}):/.exec(text)?.[1] ?? name;
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function group(name: string, title: string, text: string, those: Setting[], open: boolean): HTMLElement {
  const number = those.filter((one) => one.differs).length;
  const at = entry();
  const shown = (one: Setting) => (at?.key === one.key && (refused || at.why) ? entered(one, at.written) : one);
  const rows = those.map((one) => settingRow(shown(one), latest === one.key, (value) => void change({ settings: { [one.key]: value } }, one.key), refusalOf(one)));
  return el("details", { "data-name": name, open }, el("summary", {}, el("h2", { text: title }), number ? el("span", { cls: "number", text: String(number) }) : null, el("span", { cls: "hide", text: text })), ...rows);
}

/** House rules as cards: first those that most tables know, then the rest of the cookbook, then the options that ship. */
function cards(): HTMLElement {
  const written = new Set(settings?.recipes ?? []);
  const chosen = new Set(settings?.options ?? []);
  const often = new Set(shelf.recipes.map(({ id }) => id));
  const card = (id: string, small: string, text: string, on: boolean, what: (on: boolean) => Change) =>
    el("button", { cls: "recipe", "aria-pressed": String(on), "data-key": id, html: `<small>${escape(small)}</small><span>${escape(text)}</span>${icon(on ? "yes" : "plus")}`, on: { click: (event: Event) => {
      (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(!on));
      void change(what(!on), id);
    } } });
  const recipe = ({ id, section, text }: Shelf["cookbook"][number]) => card(id, section, text, written.has(id), (on) => ({ recipes: { [id]: on } }));
  const option = ({ id, name, about }: Ruleset) => card(id, name, about || name, chosen.has(id), (on) => ({ options: { [id]: on } }));
  const first = shelf.recipes.map(({ id }) => shelf.cookbook.find((one) => one.id === id)!);
  const rest = shelf.cookbook.filter(({ id }) => !often.has(id));
  const on = (one: { id: string }) => written.has(one.id) || chosen.has(one.id);
  const options = shelf.rulesets.filter(({ type }) => type === "option");
  const more = el("details", { cls: "more", "data-name": "more", open: $<HTMLDetailsElement>("#sets details.more")?.open }, el("summary", {}, el("h2", { text: `All ${rest.length + options.length} others` })),
    search(), el("div", { cls: "recipes" }, ...rest.filter((one) => !on(one)).map(recipe), ...options.filter((one) => !on(one)).map(option)));
  return el("section", {}, el("h2", { text: "House rules other tables play" }), el("div", { cls: "recipes" }, ...first.map(recipe), ...rest.filter(on).map(recipe), ...options.filter(on).map(option)), more);
}

/** Leaves of the cards only those that have every word. */
function search(): HTMLElement {
  const field = el("input", { type: "text", placeholder: "Find a house rule: joker, buy, last card …", "aria-label": "Find a house rule", autocomplete: "off" });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of $$<HTMLElement>(".more .recipe")) card.hidden = !words.every((word) => card.textContent!.toLowerCase().includes(word));
  });
  return field;
}

function chooseGame(): void {
  const games = shelf.rulesets.filter(({ type }) => type === "game");
  const row = ({ id, name, about }: Ruleset) => gameRow(name, about, id === settings?.game, () => void change({ game: id }, "game"));
  openSheet("Closest to your game", el("ul", { cls: "games" }, ...games.map(row)), { cls: "side-sheet" });
}

/** The rules that some logs were played by, found by the referee. */
function inferFrom(): void {
  openFile(".rgn,.txt,text/plain", async (logs) => {
    $("#rules-sum").textContent = "The referee looks for the rules behind these logs. That takes a while.";
    const told = await ask<{ text: string; logs: number }>("infer", { logs: logs.filter(({ encoded }) => !encoded).map(({ name, text }) => ({ name, text })) });
    if (told.text) replaceHouse(told.text);
    else $("#rules-sum").textContent = "None of these files is a log with turns.";
  });
}
