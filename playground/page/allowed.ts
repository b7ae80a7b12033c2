// The first door: the table with its question, the verdict, the strip of moves, the best turns.
import { Aside } from "./aside.ts";
import { Board } from "./board.ts";
import { chip } from "./cards.ts";
import type { Door } from "./door.ts";
import { $, closeSheet, el, escape, icon, keep, kept, openSheet } from "./dom.ts";
import { draggable } from "./drag.ts";
import { signed } from "./numbers.ts";
import { nameOf, openPicker } from "./picker.ts";
import { type Opening, Playing } from "./playing.ts";
import { draftLeft, openDeck, Setup } from "./setup.ts";
import { openShare, plainText, readLink } from "./share.ts";
import { type Panel, Slip } from "./slip.ts";
import { cardsOn, emptyLayout, fetchRecorded, type Layout, type Position, type Rules, standOf } from "./table.ts";
import { sayAction } from "./words.ts";

interface Example { position: Position; asks: string }
/** A table as it is kept on the device. */
type Kept = Pick<Required<Opening>, "question" | "about" | "asksAfter" | "moves" | "at"> & { position: Position; rules: Rules };
const KEPT = "table";
const PASSED = "passed-round";
/** The address of the door, and what follows it while a table is laid out. */
const HERE = "#/allowed";
const OWN = "own";
const QUESTION = "What do you want to know?";
const BUTTONS: [string, string, string][] = [["to-start", "start", "To the start"], ["to-back", "back", "One move back"], ["to-forward", "forward", "One move forward"], ["to-end", "end", "To the end"]];

/** The table door, and a way for the other doors to lay a position on its table. */
class Allowed implements Door {
  private readonly slip = new Slip();
  private readonly board = new Board(el("div", { id: "table" }), false);
  private readonly setup = new Setup(this.board);
  private readonly playing = new Playing(this.board, this.slip, {
    changed: () => this.changed(),
    change: () => this.layOut(this.playing.layout),
    learnt: () => this.showBest(),
    choose: (title, pick) => openDeck(title, cardsOn(this.playing.layout), (card) => { closeSheet(); pick(card); }),
    seat: (name) => this.openSeat(name),
  });
  private readonly aside = new Aside(KEPT, "Back to your table", [], (text) => this.replace(this.openingIn(text) ?? this.exampleOpening()));
  private readonly line = el("ol", { id: "line", "aria-label": "The moves made" });
  private readonly gained = el("output", { id: "gained" });
  private readonly passing = el("button", { "aria-pressed": "false", html: `${icon("turn")}<span>Pass it round</span>`, on: { click: () => this.pass() } });
  private readonly game = el("button", { cls: "quiet", on: { click: () => void openPicker(this.playing.stand.rules, (rules) => this.playBy(rules)) } });
  private readonly best = el("ol", { id: "best" });
  private readonly move = el("input", { type: "text", id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "take 4c", enterkeyhint: "go" });
  private example: Example = { position: {}, asks: "" };
  private shown = false;
  /** The link that the table came by, and the table as it was then. */
  private linked = { rest: "", text: "" };

  constructor(private readonly root: HTMLElement) {
    root.append(el("div", { cls: "play" }, this.slip.root, this.board.root, this.slip.bar), this.around(), this.setup.root);
    this.board.root.addEventListener("click", (event) => (this.setup.open ? this.setup : this.playing).tap(event));
    draggable(this.board, {
      liftable: (id, place) => (this.setup.open ? null : this.playing.liftable(id, place)),
      lift: (group, fromPile) => this.playing.lift(group, fromPile),
      drop: (...dropped) => this.playing.drop(...dropped),
    });
    document.addEventListener("keydown", (event) => this.key(event));
    const { position } = JSON.parse($("#examples").textContent ?? "{}") as { position: Example };
    this.example = position;
  }

  open(rest: string): void {
    const waiting = onTheWay;
    onTheWay = null;
    const linked = readLink(rest);
    const unreadable = !linked && rest !== "" && rest !== OWN;
    if (waiting) this.replace({ ...waiting, question: QUESTION });
    else if (linked) this.openLink(rest, linked);
    else if (!this.shown) this.openLeft(unreadable);
    else if (unreadable) this.playing.say(incomplete("table that you left"));
    if (rest === OWN) return this.resume();
    if (!this.setup.open) return;
    this.setup.close();
    this.playing.go(this.playing.at);
  }

  private openLink(rest: string, { position, since: moves, rules, text }: NonNullable<ReturnType<typeof readLink>>): void {
    if (rest === this.linked.rest) return;
    this.linked = { rest, text: "" };
    this.replace({ stand: standOf(position, rules, null), question: text ? escape(text) : QUESTION, moves, asksAfter: moves.length });
    this.linked.text = this.text;
  }

  /** Shows the table that was left here, or the example: at once, and again when the recorded answers have come. */
  private openLeft(unreadable: boolean): void {
    const left = this.openingIn(kept(KEPT));
    const opening = left ?? this.exampleOpening();
    if (left && kept(PASSED)) this.pass(); // hands that were covered are not shown to whoever reloads the page
    const begin = (): void => this.begin({ ...opening, greeting: unreadable ? incomplete(left ? "table that you left" : "example") : null });
    begin();
    const { line: [first] } = this.playing;
    fetchRecorded().then(() => { if (first.stand.path === "" && this.playing.line.length === 1 && this.playing.line[0] === first) begin(); }, () => {});
  }

  private exampleOpening(): Opening {
    const { position, asks } = this.example;
    return { stand: standOf(position, "", ""), question: `May ${escape(String(position.to_move))} take the ${chip(asks)}?`, about: asks };
  }

  private begin(opening: Opening): void {
    this.shown = true;
    void this.playing.start(opening);
  }

  /** Begins with a table that takes the place of another one, which is put aside; `ours` was laid out here. */
  private replace(opening: Opening, ours = false): void {
    const before = this.openingIn(kept(KEPT)) && !this.isExample(kept(KEPT)) ? kept(KEPT) ?? "" : "";
    this.begin(opening);
    this.aside.replace(before, ours ? "" : this.text);
  }

  // --- what is kept on the device ---

  /** The table as it is kept; nothing of the example that nobody has touched. */
  private get text(): string {
    const { stand: { position, rules }, question, about, asksAfter, moves, at } = this.playing.opening;
    if (!moves.length && this.pathOf(position, rules) !== null) return "";
    return JSON.stringify({ position, rules, question, about, asksAfter, moves, at } satisfies Kept);
  }

  /** The table in a text that was kept; null where there is none. */
  private openingIn(text: string | null): Opening | null {
    try {
      const { position, rules, ...opening } = JSON.parse(text ?? "") as Kept;
      return { ...opening, stand: standOf(position, rules, this.pathOf(position, rules)) };
    } catch {
      return null;
    }
  }

  private isExample(text: string | null): boolean {
    return this.openingIn(text)?.stand.path === "";
  }

  /** The path that answers about the example were recorded under; null where it is another table, or other rules. */
  private pathOf(position: Position, rules: Rules): string | null {
    return rules === "" && JSON.stringify(position) === JSON.stringify(this.example.position) ? "" : null;
  }

  /** Keeps the table, and the link in the address as long as it leads to this table. */
  private keepTable(): void {
    const { text } = this;
    keep(KEPT, text);
    if (!this.linked.text || this.linked.text === text) return;
    this.linked = { rest: "", text: "" };
    if (location.hash.startsWith(`${HERE}/`)) history.replaceState(null, "", HERE);
  }

  // --- around the cloth ---

  private around(): HTMLElement {
    const controls = el("div", { cls: "controls", role: "group", "aria-label": "Through the moves" });
    for (const [id, name, label] of BUTTONS) controls.append(el("button", { id, "aria-label": label, html: icon(name), on: { click: () => this.step(id) } }));
    controls.append(this.gained);
    const typed = el("form", { cls: "typed" }, el("label", { for: "move", text: "Move" }), this.move);
    typed.addEventListener("submit", (event) => { event.preventDefault(); void this.playing.askTyped(this.move.value); });
    let pause: ReturnType<typeof setTimeout>;
    this.move.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => void this.playing.askTyped(this.move.value), 350); });
    const setUp = el("button", { id: "set-up", html: `${icon("pen")}<span>Lay out your own</span>`, on: { click: () => this.layOut(null) } });
    const tools = el("div", { cls: "tools" }, setUp, this.aside.button, this.passing,
      el("button", { id: "share", html: `${icon("share")}<span>Share a picture</span>`, on: { click: () => this.share() } }));
    this.slip.invited = { button: setUp, home: tools };
    const played = el("p", { cls: "played" }, "Played as ", this.game);
    const best = el("section", { cls: "best", "aria-labelledby": "best-h" }, el("h2", { id: "best-h", text: "The best turns here" }), this.best);
    return el("div", { cls: "around" }, el("div", { id: "moves" }, this.line, controls), typed, tools, played, best);
  }

  private step(id: string): void {
    const { at, line } = this.playing;
    this.playing.go({ "to-start": 0, "to-back": at - 1, "to-forward": at + 1, "to-end": line.length - 1 }[id] ?? at);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (this.root.hidden || this.setup.open || target.closest("input, textarea, dialog, [contenteditable]")) return;
    if (event.key === "Escape") this.playing.go(this.playing.at);
    if ((event.ctrlKey || event.metaKey) && event.key === "z") this.step("to-back");
    if (target.closest("[data-arrows]")) return;
    if (event.key === "ArrowLeft") this.step("to-back");
    if (event.key === "ArrowRight") this.step("to-forward");
  }

  private share(): void {
    const { title } = this.playing.panel;
    const words = el("div", { html: this.playing.panel.kind === "idle" ? this.playing.question : title });
    const { stand, moves } = this.playing.opening;
    openShare({ text: plainText(words), first: stand, moves: moves.slice(0, this.playing.at), stand: this.playing.stand, board: this.board.root });
  }

  private pass(): void {
    this.playing.pass(!this.playing.passed);
    this.passing.setAttribute("aria-pressed", String(this.playing.passed));
    keep(PASSED, this.playing.passed ? "yes" : "");
  }

  /** The same table from its beginning, by other rules. */
  private playBy(rules: Rules): void {
    const { stand, question, about } = this.playing.opening;
    this.begin({ stand: { ...stand, rules, path: this.pathOf(stand.position, rules), moves: [], turns: [] }, question, about });
  }

  private nameGame(): void {
    const { rules } = this.playing.stand;
    nameOf(rules).then((name) => { if (rules === this.playing.stand.rules) this.game.textContent = name; }, () => {});
  }

  /** Lays out a table: one that is to be changed, the one that was begun, or else from nothing. */
  private layOut(layout: Layout | null): void {
    const { rules } = this.playing.stand;
    const draft = draftLeft();
    history.pushState(null, "", `${HERE}/${OWN}`);
    if (layout) this.openSetup(layout, rules, true);
    else if (draft && !draft.done) this.openSetup(draft.layout, draft.rules, false);
    else this.openSetup(this.empty, rules, true);
  }

  /** Goes on where laying out was left. */
  private resume(): void {
    if (this.setup.open) return;
    const { layout, rules, done } = draftLeft() ?? { layout: this.empty, rules: this.playing.stand.rules, done: true };
    this.openSetup(layout, rules, done);
  }

  private get empty(): Layout {
    const { players } = this.playing.layout;
    return emptyLayout(players.length ? players : (this.example.position.players as string[]));
  }

  private openSetup(layout: Layout, rules: Rules, done: boolean): void {
    this.playing.paused = true;
    this.door(`${HERE}/${OWN}`);
    this.setup.begin({ layout, rules, done }, {
      done: (stand) => {
        history.pushState(null, "", HERE);
        if (stand) this.replace({ stand, question: QUESTION }, true);
        else this.replace(this.exampleOpening());
      },
      closed: () => {
        this.playing.paused = false;
        this.door(HERE);
      },
    });
  }

  /** Where the way to this door leads: to laying out while that is not finished. */
  private door(address: string): void {
    $(".doors [data-door=allowed]").setAttribute("href", address);
  }

  private openSeat(name: string): void {
    const { layout } = this.playing;
    const cards = layout.hands[name];
    const known = (cards ?? []).filter((card) => card !== "?");
    const input = el("input", { type: "text", id: "seat-name", value: name, maxlength: 40, autocomplete: "off", enterkeyhint: "done" });
    const rename = (event: Event): void => { event.preventDefault(); closeSheet(); this.rename(name, input.value.trim()); };
    const form = el("form", { cls: "name-form", on: { submit: rename } }, el("label", { for: "seat-name", text: "Name" }), input, el("button", { type: "submit", cls: "main", text: "Done" }));
    const holds = !this.playing.mayTell(name) ? "The cards are covered." : cards === null ? "Nobody said which cards." : `${cards.length} cards${known.length ? `: ${known.map(chip).join(" ")}` : ", none of them seen"}`;
    const acts = el("p", { cls: "acts" });
    for (const card of this.playing.callable()) {
      acts.append(el("button", { html: `${icon("bell")}<span>Calls “Rummy!” on ${chip(card)}</span>`, on: { click: () => { closeSheet(); void this.playing.askCall(name, card); } } }));
    }
    if (!this.playing.passed) acts.append(el("button", { html: `${icon("pen")}<span>Change the cards</span>`, on: { click: () => { closeSheet(); this.layOut(this.playing.layout); } } }));
    openSheet(name, el("div", { cls: "seat-body" }, form, el("p", { cls: "soft", html: `${holds} · ${layout.points[name] ?? 0} points on the table` }), acts), { cls: "side-sheet" });
  }

  /** Calls a player by another name, from the beginning of what is played. */
  private rename(from: string, to: string): void {
    const { stand, question, about } = this.playing.opening;
    if (!to || to === from || stand.layout.players.includes(to)) return;
    const said = (value: unknown): unknown => {
      if (value === from) return to;
      if (Array.isArray(value)) return value.map(said);
      if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, said(one)]));
      return value;
    };
    const renamed = { ...stand, layout: said(stand.layout) as Layout, position: said(stand.position) as Position, path: null };
    this.begin({ stand: renamed, question: question.replace(escape(from), escape(to)), about });
  }

  // --- the strip of moves, and the best turns ---

  private changed(): void {
    const { line, at } = this.playing;
    this.keepTable();
    this.move.value = "";
    this.line.replaceChildren(...line.map((step, index) => el("li", {}, el("button", {
      cls: `step${index === at ? " now" : ""}${index > at ? " later" : ""}`, "aria-current": index === at ? "step" : undefined,
      html: index ? `<i>${index}</i><span><em>${escape(step.by)}</em> ${step.label}</span>${step.gain ? `<b class="gain">${signed(step.gain)}</b>` : ""}` : "<span>The question</span>",
      on: { click: () => this.playing.go(index) },
    }))));
    this.reveal();
    const off = { "to-start": !at, "to-back": !at, "to-forward": at >= line.length - 1, "to-end": at >= line.length - 1 };
    for (const [id, disabled] of Object.entries(off)) $<HTMLButtonElement>(`#${id}`, this.root).disabled = disabled;
    const { by } = line[at];
    const turn = by ? line.slice(1, at + 1).filter((step) => step.by === by).reduce((sum, step) => sum + step.gain, 0) : 0;
    this.gained.textContent = by ? `${signed(turn)} for ${by}` : "";
    this.showBest();
    this.nameGame();
  }

  private reveal(): void {
    const now = $(".now", this.line);
    if (!now) return;
    const [here, list] = [now.getBoundingClientRect(), this.line.getBoundingClientRect()];
    this.line.scrollLeft += here.left - list.left - (list.width - here.width) / 2;
    this.line.scrollTop += here.top - list.top - (list.height - here.height) / 2;
  }

  private showBest(): void {
    const { turns, layout } = this.playing.line[this.playing.at].stand;
    const shown = this.playing.covered ? [] : turns.slice(0, 4);
    $(".best", this.root).hidden = !shown.length;
    const at = this.playing.at;
    this.best.replaceChildren(...shown.map(({ move, points: gain }) => {
      const parts = move.replace(/^[^:;]+: /, "").split("; ").map((action) => `<span>${sayAction(action, layout)}</span>`).join("<i>›</i>");
      const play = (): void => { this.playing.go(at); void this.playing.perform([move.replace(/^[^:;]+: /, "")]); scrollTo({ top: 0, behavior: "smooth" }); };
      return el("li", {}, el("button", { html: `<b class="gain">${signed(gain)}</b><span class="way">${parts}</span>`, on: { click: play } }));
    }));
  }
}

/** What is said of a link that lost a part on its way. */
const incomplete = (instead: string): Panel =>
  ({ kind: "wait", title: "This link is incomplete.", sub: `Some of it was lost or changed on its way. What you see is the ${instead}: have the link sent again.` });

/** A table that is to be shown once its door is open. */
let onTheWay: Pick<Opening, "stand"> | null = null;

/** Lays a position on the table, and opens its door: what a log leads to. */
export function openTable(position: Position, rules: Rules): void {
  onTheWay = { stand: standOf(position, rules, null) };
  location.hash = HERE;
}

export function mountAllowed(root: HTMLElement): Door {
  return new Allowed(root);
}
