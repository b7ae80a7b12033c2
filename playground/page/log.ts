// Check a log: the text with its faults underlined, the table beside it at the line of the cursor, the turns as a strip.
import { $, el, escape, fill, icon, keep, kept } from "./dom.ts";
import { openTable } from "./allowed.ts";
import { Aside } from "./aside.ts";
import { Board } from "./board.ts";
import { asked } from "./answers.ts";
import { ask, latest, onReferee } from "./referee.ts";
import type { Door } from "./door.ts";
import { type Edit, Editor, type Offers } from "./editor.ts";
import { type Finding, findingList, markOf } from "./findings.ts";
import { openFile, saveText } from "./files.ts";
import { rulesFor } from "./house.ts";
import { type Panel, Slip } from "./slip.ts";
import { neighbour, stopsOf, strip } from "./strip.ts";
import { linkOfLog } from "./share.ts";
import type { Layout, Position } from "./table.ts";
import { sentence, told as say } from "./words.ts";

const KEPT = "log";
const PAUSE = 500;
const FILES = ".rgn,.txt,.log,.csv,.tsv,.xlsx,.ods,.json,.jsonl,.ndjson,.yaml,.yml,text/plain";

/** The audit of a log, part by part; with the last part comes all of it. */
interface Audit {
  done: boolean;
  rushed: boolean;
  verdict: string;
  hands: number;
  turns: number;
  findings: Finding[];
  open: { line: number; what: string }[];
}

/** The log that the page begins with. */
const example: string = JSON.parse($("#examples").textContent ?? "{}").log ?? "";
const aside = new Aside(KEPT, "Back to your log", [example], (text) => replaceLog(text));
let editor: Editor;
let board: Board;
let slip: Slip;
let audit: Audit | null = null;
/** Whether the log was changed since it was audited. */
let stale = false;
let typed = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let shown = 0;
/** The line for which the table is drawn. */
let drawn = 0;
/** What the slip says, to say nothing twice. */
let said = "";
/** What a button answered about the log as it is now. */
let answered = "";
/** What is said of a link in the address that holds no log, until there is another log. */
let astray = "";
/** Whether the cursor has not been put anywhere in this log. */
let fresh = true;
/** The log, and the line of it, to which somebody was led before the door was open. */
let wanted: { text: string; line: number } | null = null;
/** What is said of a log that this device does not keep. */
let unkept = "";

/** Opens the log that was left there, or the example. */
export function mountLog(section: HTMLElement): Door {
  slip = new Slip();
  section.replaceChildren(...frame());
  board = new Board($("#log-table"), true);
  editor = new Editor($("#log-paper"), { label: "Log", kind: "log", hint: '1. Ann: draw 4s; discard Ks', changed: () => { astray = ""; judge(); }, moved: () => follow(), offers });
  takeLog(wanted?.text ?? kept(KEPT) ?? example, wanted?.line);
  onReferee(({ state }) => {
    if (state === "ready") judge(fresh ? 0 : editor.line);
  });
  return { open: (rest) => { if (rest) sayAstray(); } };
}

/** Leads to this door, with a log to look at; the one that was there is put aside. */
export function showLog(text: string, line = 0): void {
  aside.replace(kept(KEPT) ?? example, text);
  keep(KEPT, text);
  wanted = { text, line };
  location.hash = "#/log";
  if (editor !== undefined) takeLog(text, line);
}

/** The same at this door. */
function replaceLog(text: string): void {
  aside.replace(editor.text, text);
  takeLog(text);
}

/** Says that the address holds no log, though something follows the door's name in it. */
function sayAstray(): void {
  const here = editor.text === example ? "the example" : "the log that you left";
  astray = `This link is incomplete: some of it was lost or changed on its way. What you see is ${here}.`;
  if (audit === null) paintSum(astray);
  else paint();
}

/** Writes a log into the editor, with the cursor at a line, or at what is wrong. */
function takeLog(text: string, line = 0): void {
  editor.set(text);
  astray = "";
  fresh = true;
  judge(line);
}

function frame(): HTMLElement[] {
  const round = (label: string, sign: string, step: 1 | -1) =>
    el("button", { cls: "round", "aria-label": label, html: icon(sign), on: { click: () => goTo(neighbour(lines(), editor.line, step)) } });
  const tool = (label: string, sign: string, act: () => void) => el("button", { html: `${icon(sign)}<span>${label}</span>`, on: { click: act } });
  return [
    el("h1", { cls: "hide", text: "Check a log" }),
    el("div", { cls: "board" }, el("div", { id: "log-table", cls: "still" }),
      el("div", { cls: "log-nav" }, round("The turn before", "back", -1), el("div", { id: "log-strip" }), round("The next turn", "forward", 1))),
    el("div", { id: "log-finding" }, slip.root, slip.bar),
    el("div", { cls: "text" }, el("p", { id: "log-sum", role: "status" }), el("div", { id: "log-paper", cls: "paper" }),
      el("div", { id: "log-list" }),
      el("div", { cls: "tools" }, tool("Open a file", "book", () => openFile(FILES)), tool("Copy a link", "share", copyLink), tool("Save it", "save", () => saveText("log.rgn", editor.text)),
        tool("Try a move here", "touch", tryHere), tool("Tidy up", "pen", tidy), tool("Save the game as a page", "print", savePage), tool("The example", "start", () => replaceLog(example)), tool("Empty", "close", () => { replaceLog(""); editor.view.focus(); }), aside.button)),
  ];
}

const lines = (): string[] => editor.text.split("\n");

// --- judging ------------------------------------------------------------------------------------

/** Judges the log as it is now, quickly; more closely once nobody types. */
function judge(line = 0): void {
  clearTimeout(timer);
  unkept = keep(KEPT, editor.text) ? "" : "It is too large to be kept on this device: save it before you leave the page.";
  typed += 1;
  stale = true;
  answered = "";
  if (editor.text.trim() === "") {
    audit = null;
    editor.mark([]);
    return paint();
  }
  paintSum(`The referee reads it… ${unkept}`);
  void read(line);
}

/** Of texts that follow one another quickly only the last is read. */
const read = latest(async (line: number) => {
  const now = typed;
  const told = await judged(true);
  if (told === null || now !== typed) return;
  if (line !== 0 || fresh) goTo(line || told.findings[0]?.line || stopsOf(lines()).stops[0]?.line || 1);
  fresh = false;
  if (told.rushed) timer = setTimeout(() => void judged(false), PAUSE);
});

async function judged(hasty: boolean): Promise<Audit | null> {
  const now = typed;
  const log = editor.text;
  try {
    let told = await asked<Audit>("draft", { log, rules: rulesFor(log), hasty });
    while (!told.done && typed === now) told = await ask<Audit>("draft", {});
    if (typed !== now) return null;
    audit = told;
    stale = false;
    drawn = 0;
    editor.mark(told.findings.map((finding) => markOf(finding, write)));
    paint();
    follow();
    return told;
  } catch (reason) {
    if (typed === now) paintSum((reason as Error).message);
    return null;
  }
}

/** Writes changes into the log, unless it is another one by now than they were made for. */
function write(edits: Edit[]): void {
  if (!stale) editor.write(edits);
}

const offers = (before: string): Promise<Offers> => ask<Offers>("complete_log", { before, rules: rulesFor(before) });

// --- drawing ------------------------------------------------------------------------------------

function goTo(line: number): void {
  editor.goTo(line);
  follow();
}

/** The table and the sentence follow the cursor. */
function follow(): void {
  const { line } = editor;
  paintPlace(line);
  if (line === shown && !stale && board.layout && line === drawn) return;
  shown = line;
  void showBoard(line);
}

const showBoard = latest(async (line: number) => {
  if (audit === null || stale || line !== shown) return;
  const now = typed;
  const stand = await asked<{ layout?: Layout }>("position", { line: within(line), moves: false });
  if (typed !== now || line !== shown) return;
  drawn = line;
  if (JSON.stringify(stand.layout) === JSON.stringify(board.layout)) return;
  if (stand.layout) return board.show(stand.layout);
  board.layout = null;
  $("#log-table").replaceChildren(el("p", { cls: "none", text: "No cards have been dealt here." }));
});

/** The line before which the table is shown: where no hand is being played, the nearest turn. */
function within(line: number): number {
  const { stops } = stopsOf(lines());
  const turns = stops.filter((stop) => stop.label !== "Score" && stop.label !== "Total");
  const at = turns.findLast((stop) => stop.line <= line) ?? turns[0];
  const next = stops.find((stop) => stop.line > (at?.line ?? 0));
  return at === undefined ? line : line > at.line && (next === undefined || line < next.line) && lines()[line - 1]?.trim() ? line : at.line;
}

function paint(): void {
  const found = audit?.findings ?? [];
  fill($("#log-list"), ...(found.length ? [findingList(found, (finding) => goTo(finding.line ?? 1))] : []), ...openQuestions());
  if (editor.text.trim() === "") paintSum("");
  else if (audit !== null) paintSum(`${astray} ${answered} ${summary(audit)} ${unkept}`);
  paintPlace(editor.line);
}

function openQuestions(): HTMLElement[] {
  const open = audit?.open ?? [];
  return open.length ? [el("ul", { cls: "open-list", "aria-label": "What cannot be said" }, ...open.map(({ line, what }) => el("li", { html: `line ${line}: ${sentence(what)}` })))] : [];
}

function paintSum(html: string): void {
  fill($("#log-sum"), el("span", { html }));
}

/** Answers a button; the answer stays when the log was read in the meantime. */
function answer(html: string): void {
  answered = html;
  paintSum(html);
}

function summary({ findings, hands, turns, verdict, rushed }: Audit): string {
  const number = findings.filter((finding) => finding.severity === "error").length;
  const many = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const words: Record<string, string> = { clean: "Everything in order", undecided: "Nothing wrong that can be seen", unreadable: "Not all of it can be read" };
  const head = number ? `<b class="bad">${many(number, "thing")} to settle</b>` : `<b class="good">${words[verdict] ?? "Everything in order"}</b>`;
  return `${head} · ${many(hands, "hand")}, ${many(turns, "turn")}${rushed ? " · looking closer…" : ""}`;
}

function paintPlace(line: number): void {
  const found = audit?.findings ?? [];
  const faults = new Map(found.map((finding) => [finding.line ?? 0, 1]));
  fill($("#log-strip"), ...strip(lines(), line, faults, goTo));
  $("#log-strip .here")?.scrollIntoView({ block: "nearest", inline: "center" });
  const here = found.filter((finding) => finding.line === line);
  if (stale && audit !== null) return;
  const panel = here[0] ? fault(here[0], here.length) : inOrder(line);
  const whole = JSON.stringify(panel); // with the finding, and so with what its buttons write
  if (whole !== said) slip.show(panel);
  said = whole;
}

/** What is wrong in a line, and what may be written instead. */
function fault(finding: Finding, number: number): Panel {
  const unread = finding.code.startsWith("log.");
  const facts = finding.facts.filter((fact) => !fact.startsWith("rule:") && !(finding.fixes.length && fact.startsWith("legal here:"))).slice(0, 2);
  const more = number > 1 ? [`${number - 1} more in this line: see the list`] : [];
  return {
    kind: finding.severity === "error" && !unread ? "no" : "maybe",
    title: titleOf(finding),
    sub: [...facts, ...more].map((one) => sentence(one)).join(" "),
    acts: finding.fixes.map(({ title, edits }) => ({ label: say(title), do: () => write(edits) })),
    rule: finding,
  };
}

/** Who did it, in which turn, and what is wrong with it. */
function titleOf({ line, player, message }: Finding): string {
  const stop = stopsOf(lines()).stops.find((one) => one.line === line);
  const turn = stop && /^\d+$/.test(stop.label) ? `, turn ${stop.label}` : "";
  return player && !message.startsWith(player) ? `${escape(player)}${turn}: ${say(message)}.` : sentence(message);
}

/** What is said of a line in which nothing was found. */
function inOrder(line: number): Panel {
  if (editor.text.trim() === "") return { kind: "idle", title: "Paste a log, or write one.", sub: "One line a turn: who drew what, laid what, discarded what." };
  if (audit === null) return { kind: "wait", title: "The referee reads it…" };
  const stop = stopsOf(lines()).stops.find((one) => one.line === line);
  if (stop === undefined) return { kind: "idle", title: "Put the cursor into a turn: the table follows." };
  return { kind: "yes", title: `${escape(stop.about)}: in order.`, sub: say(lines()[line - 1] ?? "") };
}

// --- the whole log ------------------------------------------------------------------------------

/** The table at the line of the cursor, to be played on. */
async function tryHere(): Promise<void> {
  const { file } = await ask<{ file?: Position | null }>("position", { line: within(editor.line), moves: false });
  if (file) openTable(file, rulesFor(editor.text));
  else answer("No hand is being played at this line.");
}

async function tidy(): Promise<void> {
  const told = await ask<{ text: string | null; findings: Finding[] }>("fmt", { log: editor.text });
  if (told.text === null) return answer("A line cannot be read: put it right first, so that nothing is lost.");
  editor.writeAll(told.text);
}

async function copyLink(): Promise<void> {
  const link = linkOfLog(editor.text);
  if (link === null) return answer("This log is too long for a link: save it, or the game as a page.");
  try {
    await navigator.clipboard.writeText(link);
    answer("Copied: whoever opens the link sees this log.");
  } catch {
    answer("This browser does not allow that: save the log instead.");
  }
}

async function savePage(): Promise<void> {
  const log = editor.text;
  answer("The page is being made…");
  try {
    let told = await ask<{ done: boolean; page?: string }>("film", { purpose: "save", log, rules: rulesFor(log) });
    while (!told.done) told = await ask("film", { purpose: "save" });
    saveText("game.html", told.page ?? "", "text/html");
    answered = "";
    paint();
  } catch (reason) {
    answer((reason as Error).message);
  }
}
