// The first door: the table with its question, the verdict, the strip of moves, the best turns.
import { Board } from "./board.ts";
import { chip } from "./cards.ts";
import type { Door } from "./door.ts";
import { $, closeSheet, el, escape, icon, openSheet } from "./dom.ts";
import { draggable } from "./drag.ts";
import { signed } from "./numbers.ts";
import { nameOf, openPicker } from "./picker.ts";
import { Playing } from "./playing.ts";
import { openDeck, Setup } from "./setup.ts";
import { openShare, plainText } from "./share.ts";
import { Slip } from "./slip.ts";
import { cardsOn, emptyLayout, fetchRecorded, type Layout, type Position, type Rules, type Stand, standOfExample } from "./table.ts";
import { sayAction } from "./words.ts";

interface Example { position: Position; asks: string }
const BUTTONS: [string, string, string][] = [["to-start", "start", "To the start"], ["to-back", "back", "One move back"], ["to-forward", "forward", "One move forward"], ["to-end", "end", "To the end"]];

/** The table door, and a way for the other doors to lay a position on its table. */
class Allowed implements Door {
  private readonly slip = new Slip();
  private readonly board = new Board(el("div", { id: "table" }), false);
  private readonly setup = new Setup(this.board);
  private readonly playing = new Playing(this.board, this.slip, {
    changed: () => this.changed(),
    learnt: () => this.showBest(),
    choose: (title, pick) => openDeck(title, cardsOn(this.playing.layout), (card) => { closeSheet(); pick(card); }),
    seat: (name) => this.openSeat(name),
  });
  private readonly line = el("ol", { id: "line", "aria-label": "The moves made" });
  private readonly gained = el("output", { id: "gained" });
  private readonly passing = el("button", { "aria-pressed": "false", html: `${icon("turn")}<span>Pass it round</span>`, on: { click: () => this.pass() } });
  private readonly game = el("button", { cls: "quiet", on: { click: () => void openPicker(this.playing.stand.rules, (rules) => this.playBy(rules)) } });
  private readonly best = el("ol", { id: "best" });
  private readonly move = el("input", { type: "text", id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "take 4c", enterkeyhint: "go" });
  private example: Example = { position: {}, asks: "" };
  private shown = false;

  constructor(private readonly root: HTMLElement) {
    root.append(el("div", { cls: "play" }, this.slip.root, this.board.root, this.slip.bar), this.aside(), this.setup.root);
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

  open(): void {
    const waiting = onTheWay;
    onTheWay = null;
    if (waiting) return void this.openWaiting(waiting);
    if (this.shown) return;
    this.showExample();
    fetchRecorded().then(() => { if (this.playing.stand.path === "" && !this.setup.open && this.playing.line.length === 1) this.showExample(); }, () => {});
  }

  private async openWaiting({ stand, question, since }: Waiting): Promise<void> {
    await this.begin(stand, question);
    if (since.length) await this.playing.perform(since);
  }

  private showExample(): void {
    const { position, asks } = this.example;
    void this.begin(standOfExample(position), `May ${escape(String(position.to_move))} take the ${chip(asks)}?`, asks);
  }

  private async begin(stand: Stand, question: string, about: string | null = null): Promise<void> {
    this.shown = true;
    const started = this.playing.start(stand, question, about);
    this.changed();
    await started;
  }

  // --- around the cloth ---

  private aside(): HTMLElement {
    const controls = el("div", { cls: "controls", role: "group", "aria-label": "Through the moves" });
    for (const [id, name, label] of BUTTONS) controls.append(el("button", { id, "aria-label": label, html: icon(name), on: { click: () => this.step(id) } }));
    controls.append(this.gained);
    const typed = el("form", { cls: "typed" }, el("label", { for: "move", text: "Move" }), this.move);
    typed.addEventListener("submit", (event) => { event.preventDefault(); void this.playing.askTyped(this.move.value); });
    let pause: ReturnType<typeof setTimeout>;
    this.move.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => void this.playing.askTyped(this.move.value), 350); });
    const setUp = el("button", { id: "set-up", html: `${icon("pen")}<span>Lay out your own</span>`, on: { click: () => this.layOut(null) } });
    const tools = el("div", { cls: "tools" }, setUp, this.passing,
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
    openShare({ text: plainText(words), stand: this.playing.stand, board: this.board.root });
  }

  private pass(): void {
    this.playing.pass(!this.playing.passed);
    this.passing.setAttribute("aria-pressed", String(this.playing.passed));
  }

  /** The same table from its beginning, by other rules. */
  private playBy(rules: Rules): void {
    const [{ stand }] = this.playing.line;
    const path = rules === "" && stand.position === this.example.position ? "" : null;
    void this.begin({ ...stand, rules, path, moves: [], turns: [] }, this.playing.question, this.playing.about);
  }

  private nameGame(): void {
    const { rules } = this.playing.stand;
    nameOf(rules).then((name) => { if (rules === this.playing.stand.rules) this.game.textContent = name; }, () => {});
  }

  private layOut(layout: Layout | null): void {
    const { players } = this.playing.layout;
    const { rules } = this.playing.stand;
    this.setup.begin(layout, players, rules, (stand) => {
      if (stand) void this.begin(stand, "What do you want to know?");
      else this.showExample();
    });
  }

  private openSeat(name: string): void {
    const { layout } = this.playing;
    const cards = layout.hands[name];
    const known = (cards ?? []).filter((card) => card !== "?");
    const input = el("input", { type: "text", id: "seat-name", value: name, maxlength: 14, autocomplete: "off", enterkeyhint: "done" });
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
    const [{ stand }] = this.playing.line;
    if (!to || to === from || stand.layout.players.includes(to)) return;
    const said = (value: unknown): unknown => {
      if (value === from) return to;
      if (Array.isArray(value)) return value.map(said);
      if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, said(one)]));
      return value;
    };
    const question = this.playing.question.replace(escape(from), escape(to));
    const { about } = this.playing;
    void this.begin({ ...stand, layout: said(stand.layout) as Layout, position: said(stand.position) as Position, path: null }, question, about);
  }

  // --- the strip of moves, and the best turns ---

  private changed(): void {
    const { line, at } = this.playing;
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

/** A table that is to be shown once its door is open, with the moves that were made on it. */
interface Waiting { stand: Stand; question: string; since: string[] }
let onTheWay: Waiting | null = null;

/** Lays a position on the table, and opens its door: what a log, a link or an example leads to. */
export function openTable(position: Position, rules: Rules = "", question = "What do you want to know?", since: string[] = []): void {
  onTheWay = { stand: { layout: emptyLayout([]), position, since: [], rules, path: null, moves: [], turns: [] }, question, since };
  if (location.hash === "#/allowed") dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = "/allowed";
}

export function mountAllowed(root: HTMLElement): Door {
  return new Allowed(root);
}
