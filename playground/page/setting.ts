// One setting: a switch, a choice, a number, or what is typed. What it may be and what that means comes from the schema.
import { el, escape, icon } from "./dom.ts";

/** A key of the rules with what it says now; keys as the service has them. */
export interface Setting {
  key: string;
  entry: string;
  text: string;
  takes: string;
  kind: "word" | "words" | "number" | "text";
  words: { value: string; text: string }[];
  least: number | null;
  most: number | null;
  value: unknown;
  written: string;
  before: string | null;
  differs: boolean;
  rests: string | null;
}

/** Why what was entered is not accepted, and what would make it right. */
export interface Refusal { text: string; mend: { label: string; do: () => void } | null }

type Choose = (written: string | null) => void;
const LONGEST = 26;
/** How long what a word means may be to stand in a list of its own. */
const LONGEST_MEANING = 64;

/** A setting as it was entered, though it is not accepted. */
export function entered(setting: Setting, written: string): Setting {
  const value = setting.kind === "number" && written.trim() !== "" && Number.isFinite(Number(written)) ? Number(written) : written;
  return { ...setting, value, written, differs: written !== setting.before };
}

/** A row: the sentence of the key, its control, what the choice means, and the way back to the game's own. */
export function settingRow(setting: Setting, latest: boolean, choose: Choose, refusal: Refusal | null = null): HTMLElement {
  const label = setting.entry ? `${setting.text.replace(/[.:].*$/, "")}: ${setting.entry}` : spokenOf(setting.text);
  const meaning = setting.words.find(({ value }) => value === String(setting.value))?.text;
  const shown = meaning && namesOf(setting).includes(meaning.replace(/\.$/, ""));
  const back = el("button", { cls: "quiet round back", "aria-label": `Back to ${setting.before}`, html: icon("undo"), on: { click: () => choose(null) } });
  return el("div", { cls: `set${setting.differs ? " changed" : ""}${setting.rests ? " rests" : ""}${latest ? " latest" : ""}`, "data-key": setting.key },
    el("span", { cls: "label", text: label }), control(setting, label, choose),
    el("p", { cls: "consequence", html: `${meaning && !shown ? `${escape(meaning)} ` : ""}<code>${escape(setting.key)}: ${escape(setting.written)}</code>${setting.rests ? ` No effect while <code>${escape(setting.rests)}</code> is as it is.` : ""}` }),
    refusal && el("p", { cls: "refusal bad", html: refusal.text }),
    refusal?.mend && el("p", { cls: "acts refusal" }, el("button", { html: `${icon("pen")}<span>${refusal.mend.label}</span>`, on: { click: refusal.mend.do } })),
    setting.differs && setting.before !== null ? back : null);
}

function control(setting: Setting, label: string, choose: Choose): HTMLElement {
  if (setting.kind === "word") return wordControl(setting, label, choose);
  if (setting.kind === "words") return wordsControl(setting, label, choose);
  if (setting.kind === "number") return numberControl(setting, label, choose);
  const field = el("input", { type: "text", cls: "written", value: setting.written, "aria-label": `${label}: ${setting.takes}`, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  field.addEventListener("change", () => choose(field.value));
  return field;
}

const spoken = (word: string): string => word.replaceAll("_", " ");
/** The sentence of a key without what only somebody who writes the file has to know. */
const spokenOf = (text: string): string =>
  text.replace(/: points, or the word [^.]*/, "").replace(/ The word \w+: [^.]*\./, "").replace(/\.$/, "");
/** What a word means, in short: its first clause, without the names of other keys. */
function shortly(text: string): string {
  const [clause = ""] = text.split(/[;:]|\.(?=\s|$)/);
  return clause.length > LONGEST_MEANING || /\w\.\w/.test(clause) ? clause.split(",")[0]! : clause;
}

/** What the words of a key are called; those made for files rather than for people by what they mean, where that tells them apart. */
function namesOf({ kind, words }: Setting): string[] {
  const meanings = words.map(({ text }) => shortly(text));
  const tell = new Set(meanings).size === words.length && meanings.every((text) => text.length <= LONGEST_MEANING);
  return kind === "word" && tell && words.some(({ value }) => value.includes("_")) ? meanings : words.map(({ value }) => spoken(value));
}

/** A switch for what is allowed or not; segments where they fit, else a list. */
function wordControl(setting: Setting, label: string, choose: Choose): HTMLElement {
  const { words, value } = setting;
  const called = namesOf(setting);
  const names = words.map((word) => word.value);
  if (names.length === 2 && names.includes("allowed") && names.includes("forbidden")) {
    const on = value === "allowed";
    return el("button", { cls: "switch", role: "switch", "aria-checked": String(on), "aria-label": `${label}: allowed`, on: { click: () => choose(on ? "forbidden" : "allowed") } }, el("span"));
  }
  if (called.join("").length <= LONGEST && names.length <= 3) {
    return el("div", { cls: "segments", role: "group", "aria-label": label }, ...words.map((word, at) => el("button", { "aria-pressed": String(word.value === value), title: word.text, text: called[at], on: { click: () => choose(word.value) } })));
  }
  const select = el("select", { "aria-label": label }, ...words.map((word, at) => el("option", { value: word.value, selected: word.value === value, text: called[at] })));
  select.addEventListener("change", () => choose(select.value));
  return select;
}

/** Words of which any number may hold. */
function wordsControl({ words, value }: Setting, label: string, choose: Choose): HTMLElement {
  const list = Array.isArray(value) ? value.map(String) : [];
  const press = (word: string) => {
    const now = list.includes(word) ? list.filter((one) => one !== word) : [...list, word];
    choose(`[${now.join(", ")}]`);
  };
  return el("div", { cls: "chips", role: "group", "aria-label": label }, ...words.filter((word) => /^\w+$/.test(word.value)).map((word) => el("button", { "aria-pressed": String(list.includes(word.value)), title: word.text, text: spoken(word.value), on: { click: () => press(word.value) } })));
}

/** Any number within its bounds, and the words that may stand in its place. */
function numberControl({ words, value, least, most }: Setting, label: string, choose: Choose): HTMLElement {
  const number = typeof value === "number" ? value : null;
  const field = el("input", { type: "number", value: number === null ? "" : String(number), min: least ?? undefined, max: most ?? undefined, step: "1", inputmode: "numeric", "aria-label": label });
  field.addEventListener("change", () => {
    const wanted = Math.trunc(Number(field.value));
    if (field.value.trim() === "" || !Number.isFinite(wanted)) return;
    choose(String(Math.min(most ?? wanted, Math.max(least ?? wanted, wanted))));
  });
  const step = (by: number, sign: string, about: string) => el("button", { text: sign, "aria-label": `${label}: ${about}`, disabled: number === null || (by < 0 ? number <= (least ?? -Infinity) : number >= (most ?? Infinity)), on: { click: () => choose(String((number ?? 0) + by)) } });
  return el("div", { cls: "stepper", role: "group", "aria-label": label }, step(-1, "−", "one less"), field, step(1, "+", "one more"),
    ...words.map((word) => el("button", { "aria-pressed": String(word.value === value), title: word.text, text: spoken(word.value), on: { click: () => choose(word.value) } })));
}
