// Plays on a board: what a tap, a drag or a typed move asks, and what the slip says to it. Asking changes nothing; a
// second tap, a drag or a button does what was asked.
import type { Board, Glow, Lying } from "./board.ts";
import { cardName, chip } from "./cards.ts";
import { calm, escape } from "./dom.ts";
import type { Hands } from "./drag.ts";
import { justDragged } from "./drag.ts";
import { progress } from "./referee.ts";
import type { Act, Panel, Slip } from "./slip.ts";
import { signed } from "./numbers.ts";
import { and, capital, cardsOfAction, list, meldWords, onButton, or, plural, sayMove, sayNo, sentence, told } from "./words.ts";
import { explored, type Finding, fitting, inOrder, type Judged, judge, type Layout, looked, moveTo, play, type Stand } from "./table.ts";

/** A table with the action that led to it; the first has none. */
export interface Step { stand: Stand; action: string; label: string; by: string; gain: number }
/** What a table begins with, and what is done on it at once, without a word and without haste. */
export interface Opening {
  stand: Stand;
  question: string;
  /** The card of the pile that the question is about. */
  about?: string | null;
  moves?: string[];
  /** After how many of the moves it is shown; all of them where it does not say. */
  at?: number;
  /** How many of the moves lie before the question. */
  asksAfter?: number;
  /** What is said before anything was asked. */
  greeting?: Panel | null;
}
/** What the page around the table does. */
export interface Around {
  changed(): void;
  /** The table is to be laid out otherwise. */
  change(): void;
  /** More is known of the table that is shown. */
  learnt(): void;
  /** A card is to be chosen from the deck. */
  choose(title: string, pick: (card: string) => void): void;
  seat(name: string): void;
}
/** What the referee says of some cards at a place. */
interface Asked { zone: string; move: string; judged: Judged; fits: string[] | null }
const MOMENT: Panel = { kind: "wait", title: "One moment…", sub: "The referee is on its way; the answer comes by itself." };
const BETWEEN_MOVES = 420;
/** For how many milliseconds nothing is asked before moves and best turns are looked for. */
const QUIET = 700;
/** How many cards that come along are named; more are counted. */
const MOST_NAMED = 5;

export class Playing implements Hands {
  line: Step[] = [];
  at = 0;
  question = "";
  private asksAfter = 0;
  private greeting: Panel | null = null;
  /** The actions that are still to be made to come to where the table was left, and after how many it is shown then. */
  private ahead: string[] = [];
  /** Whether something else lies on the board for now. */
  paused = false;
  private aim = 0;
  /** Why there can be no such table. */
  private wrong: Finding[] | null = null;
  /** The card of the pile that the question on the cloth is about. */
  about: string | null = null;
  panel: Panel = MOMENT;
  private chosen: string[] = [];
  private waiting: string[] = [];
  private asked: string | null = null;
  /** What unknown cards in the hand at the bottom are said to be. */
  private named: string[] = [];
  private number = 0;
  /** Whether the phone is passed round, and who said last to be the one that looks at it. */
  passed = false;
  private looker: string | null = null;

  constructor(readonly board: Board, readonly slip: Slip, private readonly around: Around) {}

  get stand(): Stand { return this.line[this.at].stand; }
  get layout(): Layout { return this.stand.layout; }

  /** Whether the hand at the bottom is covered: nobody has said to be the one who holds it. */
  get covered(): boolean {
    return this.passed && !this.layout.over && this.looker !== this.layout.to_move;
  }

  /** Passes the phone round from now on, with the hands covered, or no longer. */
  pass(on: boolean): void {
    this.passed = on;
    this.looker = null;
    this.go(this.at);
  }

  private uncoverAct(): Act {
    const { to_move: next } = this.layout;
    return { main: true, label: `I am ${escape(next ?? "")}: show my hand`, do: () => { this.looker = next; this.go(this.at); } };
  }

  /** Whether somebody's cards may be told to whoever looks at the page. */
  mayTell(name: string): boolean {
    return !this.passed || (!this.covered && this.looker === name);
  }

  /** What the table begins with and what was done on it: from this it can be opened again as it is. */
  get opening(): Required<Omit<Opening, "greeting">> {
    const { question, about, asksAfter, ahead } = this;
    const moves = [...this.line.slice(1).map(({ action }) => action), ...ahead];
    return { stand: this.line[0].stand, question, about, asksAfter, moves, at: ahead.length ? this.aim : this.at };
  }

  /** Begins with a table, looks at it, and makes the moves that were made on it. */
  async start({ stand, question, about = null, moves = [], at, asksAfter = 0, greeting = null }: Opening): Promise<void> {
    const ahead = actionsOf(moves);
    const first: Step = { stand, action: "", label: "The table", by: "", gain: 0 };
    Object.assign(this, { question, about, asksAfter: Math.min(asksAfter, ahead.length), greeting, ahead, aim: at ?? ahead.length, wrong: null, at: 0, named: [], line: [first] });
    this.letGo();
    this.redraw();
    this.idle();
    this.around.changed();
    const step = this.line[0];
    try {
      const seen = await looked(stand);
      if (this.line[0] !== step) return;
      if (Array.isArray(seen)) return this.impossible(seen);
      step.stand = seen;
      if (this.at === 0) this.redraw();
      if (this.at === 0 && this.panel.kind === "idle") this.idle();
      this.around.learnt();
      if (this.line.length === 1) await this.goAhead();
      if (this.line[0] === step && !step.stand.moves.length) await this.explore(step);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Makes the moves that were made before; where somebody does something else meanwhile, the others are left. */
  private async goAhead(): Promise<void> {
    if (!this.ahead.length) return;
    const { aim, line: [first] } = this;
    const made = await this.perform(this.ahead, undefined, 0);
    if (this.line[0] !== first) return;
    this.ahead = [];
    if (made && aim < this.at) this.go(aim);
    else this.around.changed();
  }

  /** Finds what may be done at a table, once nothing else was asked for a while. */
  private async explore(step: Step): Promise<void> {
    for (let before = -1; before !== this.number;) {
      before = this.number;
      await new Promise((after) => setTimeout(after, QUIET));
    }
    if (this.line[0] !== step) return;
    step.stand = { ...step.stand, ...(await explored(step.stand)) };
    if (this.line[0] !== step || this.at !== 0) return;
    if (this.calls().length) this.board.mark({ callable: true });
    this.around.learnt();
  }

  go(at: number): void {
    if (at < 0 || at >= this.line.length) return;
    this.at = at;
    this.named = [];
    this.letGo();
    this.redraw();
    this.idle();
    this.around.changed();
  }

  // --- what lies on the board ---

  private letGo(): void {
    this.number += 1;
    [this.chosen, this.waiting, this.asked] = [[], [], null];
  }

  redraw(from?: Map<string, DOMRect>): void {
    if (this.paused) return;
    const callable = this.calls().length > 0;
    const untouched = !this.asked && !this.chosen.length && !this.waiting.length;
    const marks = { question: this.heading, hint: untouched ? this.inQuestion : null, chosen: this.chosen, waiting: this.waiting, asked: this.asked, edited: null, undo: this.at > 0, callable, covered: this.covered ? "all" : this.passed ? "others" : "none" } as const;
    this.board.show(withNames(this.layout, this.named), marks, from);
  }

  /** What stands above the table: what is asked, or what was done last. */
  private get heading(): string {
    const who = escape(this.layout.to_move ?? "");
    if (this.asked) return `May ${who} take the ${chip(this.board.lifted(this.asked)[0].card)}?`;
    const { by, label } = this.line[this.at];
    return this.at === this.asksAfter ? this.question : this.at ? `${escape(by)} ${label}.` : "The table at the beginning.";
  }

  /** The card of the pile that the question is about, before anything was done. */
  private get inQuestion(): string | null {
    return this.at === 0 && this.about !== null && this.layout.pile?.includes(this.about) ? this.about : null;
  }

  private group(): Lying[] {
    if (this.asked) return this.board.lifted(this.asked);
    return [...this.waiting, ...this.chosen].map((id) => this.board.find(id)).filter((one) => one !== undefined);
  }

  // --- what the slip says ---

  say(panel: Panel): void {
    this.panel = panel;
    this.slip.show(panel);
  }

  /** Asks, and unless it is done quietly says so if the answer takes its time; what was asked before is not answered any more. */
  private async answered<T>(asking: Promise<T>, quietly = false): Promise<T | null> {
    const mine = ++this.number;
    const timer = setTimeout(() => { if (mine === this.number && !quietly) this.say(progress.state === "ready" ? { ...MOMENT, sub: "" } : MOMENT); }, 160);
    try {
      const answer = await asking;
      if (mine !== this.number) return null;
      if (!this.wrong) return answer;
      this.idle(); // of a table that cannot be, nothing can be said
      return null;
    } catch (error) {
      if (mine === this.number && !quietly) this.failed(error);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  private failed(error: unknown): void {
    this.say({ kind: "wait", title: "The referee did not answer.", sub: escape(error instanceof Error ? error.message : String(error)) });
  }

  private impossible(findings: Finding[]): void {
    const [first] = findings;
    const { layout } = this;
    this.wrong = findings;
    const acts: Act[] = layout.players.length ? [{ icon: "pen", label: "Change the table", do: () => this.around.change() }] : [];
    this.say({ kind: "wait", title: "This table cannot be.", sub: first ? sentence(first.message, layout) : "", acts, rule: first ?? null });
  }

  idle(lead?: Panel): void {
    if (this.wrong) return this.impossible(this.wrong);
    const { layout, moves } = this.stand;
    const who = escape(layout.to_move ?? "");
    if (layout.over) return this.say(lead ?? { kind: "wait", title: "The hand is over.", acts: [this.backAct()] });
    if (this.covered) return this.say({ kind: "wait", title: `Pass it to ${who}.`, sub: "The hands are covered until somebody says who looks.", acts: [this.uncoverAct()] });
    if (!this.at && !lead) return this.say(this.greeting ?? this.invitation());
    const own = moves.filter(({ move }) => !/^discard|: /.test(move));
    const acts = own.slice(0, 3).map(({ move, points: gain }): Act => ({ label: `${onButton(move, layout)}${gain ? ` <b class="gain">${signed(gain)}</b>` : ""}`, do: () => this.perform([move]) }));
    if (layout.must) {
      const sub = `The ${chip(layout.must)} is used before anything else.`;
      return this.say({ kind: lead?.kind ?? "wait", title: lead?.title ?? `Not yet. Now use the ${chip(layout.must)}.`, sub, acts });
    }
    const unknown = layout.hands[layout.to_move ?? ""]?.includes("?") && layout.drawn;
    if (unknown) acts.push({ icon: "pen", label: "Name the card drawn", do: () => this.name() });
    const draws = moves.some(({ move }) => /^(draw|take)/.test(move));
    const goesOn = draws ? `${who} draws or takes.` : own.length ? "Meld, lay off, or discard." : "Only the discard is left.";
    this.say({ kind: lead?.kind ?? "wait", title: lead?.title ?? goesOn, sub: lead ? lead.sub ?? goesOn : "", acts });
  }

  private invitation(): Panel {
    const title = this.inQuestion ? `Touch a card to ask, say the ${chip(this.inQuestion)}.` : "Touch a card to ask about it.";
    return { kind: "idle", title, sub: "Or drag it where it should go. You can always go back." };
  }

  private backAct(): Act {
    return { icon: "back", label: "Take back", do: () => this.go(this.at - 1) };
  }

  /** Says why not, and what may be done instead. */
  private no(finding: Finding, move: string, extra: Partial<Panel> = {}): void {
    const { kind, title, sub } = sayNo(finding, move, this.layout);
    const helps = (finding.help ?? []).filter((help) => /^\w+( [^`]+)?$/.test(help) || help.includes("; ")).slice(0, 3);
    const acts = helps.map((help): Act => ({ label: onButton(help, this.layout), do: () => this.perform([help]) }));
    this.say({ kind, title, sub, instead: acts.length && kind !== "maybe" ? "Instead" : "", acts, rule: finding, ...extra });
  }

  private refuse({ move, judged, fits }: Pick<Asked, "move" | "judged" | "fits">): void {
    if (fits) return this.depends(move, fits);
    const [finding] = judged.findings;
    if (finding) return this.no(finding, move);
    this.say({ kind: "maybe", title: "It depends.", sub: told(judged.open?.map(String).join("; ") ?? ""), acts: [{ label: "Play it all the same", do: () => this.perform([move]) }] });
  }

  private depends(move: string, fits: string[], acts: Act[] = []): void {
    const meld = this.layout.melds.find(({ id }) => id === move.split(" ").at(-1));
    const what = move.startsWith("meld") ? "this is a meld" : `it fits ${meldWords(meld)}`;
    const sub = fits.length ? `If it is ${or(fits.map(chip))}, ${what}. With any other card, it is not.` : "With none of the cards still unseen.";
    this.say({ kind: "maybe", title: "It depends on the unknown card.", sub, acts: [{ main: true, icon: "pen", label: "Name the card", do: () => this.name() }, ...acts] });
  }

  /** Says which card an unknown one in the hand is. */
  private name(): void {
    this.around.choose("Which card is it?", (card) => {
      this.named = [...this.named, card];
      this.letGo();
      this.redraw();
      this.idle({ kind: "wait", title: `The unknown card is ${chip(card)}.` });
    });
  }

  // --- asking ---

  /** May this card of the pile be taken? */
  async askTake(id: string): Promise<void> {
    this.letGo();
    this.asked = id;
    this.redraw();
    const group = this.board.lifted(id);
    const [{ card }] = group;
    const move = `take ${card}`;
    const verdict = await this.answered(judge(this.stand, move));
    if (!verdict) return;
    if (verdict.verdict !== "legal") return this.refuse({ move, judged: verdict, fits: null });
    const yes = this.mayTake(group, move, "");
    this.say(yes);
    const played = await this.answered(play(this.stand, move), true);
    if (played?.after && this.panel === yes) this.say(this.mayTake(group, move, this.duty(card, played.after.layout)));
  }

  private mayTake(group: Lying[], move: string, duty: string): Panel {
    const [{ card }, ...along] = group;
    const others = along.length > MOST_NAMED ? `${along.length} cards` : and(along.map((one) => chip(one.card)));
    const comes = along.length ? `${capital(others)} ${along.length > 1 ? "come" : "comes"} along${duty}.` : duty && `${capital(duty.replace(/^, and /, ""))}.`;
    const label = along.length ? `Take ${plural(group.length, "card")}` : `Take the ${chip(card)}`;
    return { kind: "yes", title: `Yes, ${escape(this.layout.to_move ?? "")} may take the ${chip(card)}.`, sub: comes, acts: [{ main: true, label, do: () => this.perform([move]) }] };
  }

  /** What has to be done with a card that was taken, and what it could be used for. */
  private duty(card: string, after: Layout): string {
    if (after.must !== card) return "";
    const uses = this.stand.moves.filter(({ move }) => move.startsWith(`take ${card}; `)).slice(0, 2);
    const ways = uses.map(({ move, points: gain }) => `${sayMove(move.replace(/^take \S+; /, ""), after)} (${signed(gain)})`);
    return `, and the ${chip(card)} must be used at once${ways.length ? `: ${or(ways)}` : ""}`;
  }

  /** Where may the chosen cards go? */
  async askChosen(): Promise<void> {
    this.asked = null;
    this.redraw();
    const group = this.group();
    if (!group.length) { this.number += 1; return this.idle(); }
    const found = await this.answered(this.askPlaces(group));
    if (!found) return;
    this.shine(found);
    const good = found.filter(({ judged }) => this.isGood(judged));
    const perhaps = found.find(({ fits }) => fits?.length) ?? found.find(({ judged }) => judged.verdict === "open");
    if (perhaps?.fits) return this.depends(perhaps.move, perhaps.fits, this.offers(good));
    if (good.length) return this.offer(group, good);
    if (perhaps) return this.refuse(perhaps);
    this.refuse(telling(found, group.length));
  }

  private askPlaces(group: Lying[]): Promise<Asked[]> {
    const zones = ["new", ...this.layout.melds.map(({ id }) => id), ...(group.length === 1 ? ["pile"] : [])];
    return Promise.all(zones.map((zone) => this.askPlace(zone, group)));
  }

  private async askPlace(zone: string, group: Lying[], stand = this.stand): Promise<Asked> {
    const move = moveTo(zone, group.map(({ card }) => card));
    const unknown = zone !== "pile" && group.some(({ card }) => card === "?");
    const fits = unknown && stand.layout.drawn ? await fitting(stand, move) : null;
    const judged: Judged = fits ? { verdict: "unreadable", findings: [] } : await judge(stand, move);
    return { zone, move, judged, fits };
  }

  /** Whether a move may be made: what depends on a card that was named here does not depend on anything else. */
  private isGood({ verdict, findings }: Judged): boolean {
    return verdict === "legal" || (verdict === "open" && this.named.length > 0) || findings[0]?.code === "wild.unbound";
  }

  private shine(found: Asked[]): void {
    this.board.glow(new Map(found.filter(({ judged, fits }) => this.isGood(judged) || judged.verdict === "open" || fits?.length)
      .map(({ zone, judged }) => [zone, this.isGood(judged) ? "ok" : "maybe"] as [string, Glow])));
  }

  /** The buttons for what may be done with the chosen cards. */
  private offers(good: Asked[]): Act[] {
    const by = this.layout.to_move ?? "";
    const first = good.find(({ zone }) => zone !== "pile") ?? good[0];
    return good.map((asked): Act => {
      const { zone, move, judged } = asked;
      const gain = `<b class="gain">${signed(judged.points?.[by] ?? 0)}</b>`;
      const meld = this.layout.melds.find(({ id }) => id === zone);
      const label = zone === "pile" ? "Discard it" : zone === "new" ? `Meld ${gain}` : `On ${meldWords(meld)} ${judged.findings.length ? "…" : gain}`;
      return { main: asked === first, label, do: () => void this.drop(this.group(), false, zone, new Map(), null, move) };
    });
  }

  private offer(group: Lying[], good: Asked[]): void {
    const better = good.filter(({ zone }) => zone !== "pile");
    const acts = this.offers(good);
    const cards = list(inOrder(group.map(({ card }) => card)));
    const discards = good.some(({ zone }) => zone === "pile");
    const named = group[0].card === "?" ? "unknown card" : cards;
    if (!better.length) return this.say({ kind: "yes", title: `Yes, the ${named} may be discarded.`, sub: "It fits no meld here.", acts });
    const verb = better[0].zone === "new" ? "melded" : "laid off";
    this.say({ kind: "yes", title: `Yes, ${cards} may be ${verb}.`, sub: discards ? "Or discarded, which ends the turn." : "", acts });
  }

  /** A move that was typed. */
  async askTyped(move: string): Promise<void> {
    this.letGo();
    this.redraw();
    if (!move.trim()) return this.idle();
    const judged = await this.answered(judge(this.stand, move));
    if (!judged) return;
    const [finding] = judged.findings;
    const text = finding ? sentence(finding.message) : "";
    if (judged.unfinished) this.say({ kind: "wait", title: "Not yet.", sub: text });
    else if (judged.verdict === "legal") this.say({ kind: "yes", title: `Yes, this is allowed: ${sayMove(move, this.layout)}.`, acts: [{ main: true, label: "Do it", do: () => this.perform([move]) }] });
    else if (judged.verdict === "unreadable") this.say({ kind: "no", title: "No. This cannot be read.", sub: text, rule: finding });
    else this.refuse({ move, judged, fits: null });
  }

  // --- calls out of turn ---

  /** The cards of the pile that somebody may call now. */
  callable(): string[] {
    return [...new Set(this.calls().map(({ card }) => card))];
  }

  /** Who may call which card now, as the referee lists it. */
  private calls(): { name: string; card: string; move: string; gain: number }[] {
    return this.stand.moves.flatMap(({ move, points: gain }) => {
      const call = /^([^:]+): rummy ([^\s;]+)/.exec(move);
      return call ? [{ name: call[1], card: call[2], move, gain }] : [];
    });
  }

  askCaller(): void {
    this.letGo();
    const cards = this.callable();
    this.redraw();
    for (const card of cards) this.board.card(card)?.classList.add("hint");
    const acts = this.layout.players.map((name): Act => ({ label: escape(name), do: () => this.askCall(name, cards[0]) }));
    this.say({ kind: "wait", title: "Who calls “Rummy!”?", sub: `${and(cards.map(chip))} in the pile fits a meld on the table.`, acts });
  }

  async askCall(name: string, card: string): Promise<void> {
    const move = `${name}: rummy ${card}`;
    const judged = await this.answered(judge(this.stand, move));
    if (!judged) return;
    const others = this.layout.players.filter((one) => one !== name).map((one): Act => ({ label: `${escape(one)}?`, do: () => this.askCall(one, card) }));
    if (judged.findings.length) return this.no(judged.findings[0], move, { instead: "And", acts: others });
    const listed = this.calls().find((one) => one.name === name && one.card === card);
    const goes = listed ? `${capital(sayMove(listed.move.replace(/^[^;]*; /, ""), this.layout))}: ${signed(listed.gain)}.` : "";
    this.say({ kind: "yes", title: `Yes, ${escape(name)} may call the ${chip(card)}.`, sub: goes, acts: [{ main: true, label: `Let ${escape(name)} have it`, do: () => this.perform([listed?.move ?? move]) }, ...others] });
  }

  // --- doing ---

  /** Makes moves that the referee allows, one after the other, as long as nobody goes back meanwhile. */
  async perform(moves: string[], from?: Map<string, DOMRect>, pause = BETWEEN_MOVES): Promise<boolean> {
    let done: Step | null = null;
    for (const [index, action] of actionsOf(moves).entries()) {
      if (index) await new Promise((after) => setTimeout(after, calm() ? 0 : pause));
      if (done && done.stand !== this.stand) return false;
      const step = await this.performOne(action, index ? undefined : from);
      if (!step) return false;
      done = step;
    }
    if (done) this.afterwards(done);
    return true;
  }

  private async performOne(action: string, from?: Map<string, DOMRect>): Promise<Step | null> {
    const before = this.stand;
    const answer = await this.answered(play(before, action));
    if (!answer) return null;
    const { judged, after } = answer;
    if (!after) {
      this.refuse({ move: action, judged, fits: null });
      return null;
    }
    const by = /^([^:]+): /.exec(action)?.[1] ?? before.layout.to_move ?? "";
    const gain = (after.layout.points[by] ?? 0) - (before.layout.points[by] ?? 0);
    const step = { stand: after, action, label: sayMoveOf(action, before.layout), by, gain };
    const used = cardsOfAction(action);
    this.named = by === after.layout.to_move ? this.named.filter((card) => !used.includes(card)) : [];
    this.line = [...this.line.slice(0, this.at + 1), step];
    this.at += 1;
    this.ahead = this.ahead.slice(1);
    this.letGo();
    this.redraw(from);
    this.around.changed();
    return step;
  }

  private afterwards({ by, gain, stand, label }: Step): void {
    const { layout } = stand;
    const who = escape(by);
    if (layout.over || layout.to_move !== by) return this.turnIsDone(who, by);
    if (layout.must) return this.idle({ kind: "yes", title: `Yes. Now use the ${chip(layout.must)}.` });
    this.idle({ kind: "yes", title: gain ? `Yes: ${signed(gain)} for ${who}.` : `Yes. ${who} ${label}.` });
  }

  private turnIsDone(who: string, by: string): void {
    const total = this.line.slice(0, this.at + 1).filter((step) => step.by === by).reduce((sum, step) => sum + step.gain, 0);
    const calls = this.calls();
    const callers = [...new Set(calls.map(({ name }) => escape(name)))];
    const cards = this.callable().map(chip);
    const next = this.layout.to_move;
    const called = calls.length ? `${or(cards)} in the pile fits the table: ${or(callers)} may call “Rummy!”. ` : "";
    const sub = this.layout.over ? "The hand is over." : `${called}${next ? `${escape(next)} plays next.` : ""}`;
    this.say({ kind: "yes", title: `Yes. ${who}’s turn is done: ${signed(total)} points.`, sub, acts: [...(this.covered ? [this.uncoverAct()] : []), this.backAct(), { icon: "start", label: "From the start", do: () => this.go(0) }] });
  }

  // --- hands on the table ---

  tap(event: Event): void {
    const target = event.target as HTMLElement;
    if (justDragged()) return;
    const doing = target.closest<HTMLElement>("[data-do]")?.dataset.do;
    if (doing === "undo") return this.go(this.at - 1);
    if (doing === "call") return this.askCaller();
    if (doing === "sort") return this.board.sort();
    const seat = target.closest<HTMLElement>("[data-seat]")?.dataset.seat;
    if (this.covered) return seat ? this.around.seat(seat) : this.idle();
    const card = target.closest<HTMLElement>("button.card");
    if (card && this.tapCard(card.dataset.id ?? "", card.dataset.place ?? "")) return;
    if (target.closest("[data-stock]")) return void this.perform(["draw ?"]);
    const zone = target.closest<HTMLElement>("[data-zone]")?.dataset.zone;
    const group = this.group();
    if (zone && group.length) return void this.drop(group, this.asked !== null, zone, new Map(), null);
    if (seat) return this.around.seat(seat);
    if (zone === "new") this.say({ kind: "wait", title: "Not yet. A new meld needs cards.", sub: "Tap or drag cards of the hand to it." });
    else if (zone?.startsWith("m")) this.aboutMeld(zone);
    else if (group.length) this.go(this.at);
  }

  /** A tap on a card; whether that was all. */
  private tapCard(id: string, place: string): boolean {
    const busy = this.chosen.length || this.waiting.length;
    if (place === "pile" && !busy) {
      if (this.asked === id) void this.drop(this.board.lifted(id), true, "hand", new Map(), null);
      else void this.askTake(id);
      return true;
    }
    if (place === "hand") {
      if (this.asked) this.asked = null;
      this.chosen = this.chosen.includes(id) ? this.chosen.filter((one) => one !== id) : [...this.chosen, id];
      void this.askChosen();
      return true;
    }
    if (place !== "tray") return false;
    this.waiting = this.waiting.filter((one) => one !== id);
    void this.askChosen();
    return true;
  }

  private aboutMeld(zone: string): void {
    const meld = this.layout.melds.find(({ id }) => id === zone);
    const owners = [...new Set(meld?.cards.map(({ by }) => by).filter((by) => by !== null))].map((by) => escape(by ?? ""));
    const laid = owners.length ? `: laid by ${and(owners)}` : "";
    const cards = meld ? meld.cards.map(({ card }) => cardName(card)).join(", ") : "";
    this.say({ kind: "wait", title: `${capital(meldWords(meld))}${laid}.`, sub: `${capital(cards)}. Tap a card of the hand first, then the meld that it should go to.` });
  }

  liftable(id: string, place: string): Lying[] | null {
    if (this.layout.over || this.covered) return null;
    if (place === "pile") return this.chosen.length || this.waiting.length ? null : this.board.lifted(id);
    const ids = this.chosen.includes(id) ? this.chosen : [id];
    return ids.map((one) => this.board.find(one)).filter((one) => one !== undefined);
  }

  lift(group: Lying[], fromPile: boolean): void {
    this.number += 1;
    this.asked = fromPile ? group[0].id : null;
    this.chosen = fromPile ? [] : group.map(({ id }) => id);
    this.waiting = this.waiting.filter((id) => !this.chosen.includes(id));
    const mine = this.number;
    const asking = fromPile ? this.takePlaces(group) : this.askPlaces(group);
    asking.then((found) => { if (mine === this.number) this.shine(found); }, () => {});
  }

  /** Where a card of the pile may go at once: into the hand, or on after it was taken. */
  private async takePlaces(group: Lying[]): Promise<Asked[]> {
    const move = `take ${group[0].card}`;
    const judged = await judge(this.stand, move);
    return [{ zone: "hand", move, judged, fits: null }];
  }

  async drop(group: Lying[], fromPile: boolean, zone: string | null, from: Map<string, DOMRect>, before: string | null, move?: string): Promise<boolean> {
    if (!zone) { this.letGo(); this.idle(); return false; }
    if (fromPile) return this.dropFromPile(group, zone, from);
    if (zone === "hand") {
      this.board.arrange(group.map(({ id }) => id), before);
      this.letGo();
      this.redraw(from);
      this.idle();
      return true;
    }
    const whole = zone === "new" ? distinct([...this.waiting.map((id) => this.board.find(id)), ...group]) : group;
    const asked = await this.answered(move ? this.askPlaceOf(zone, move) : this.askPlace(zone, whole));
    if (!asked) return false;
    if (this.isGood(asked.judged) && !asked.judged.findings.length) return this.perform([asked.move], from);
    const unfinished = zone === "new" && asked.judged.findings[0] && sayNo(asked.judged.findings[0], asked.move, this.layout).kind === "wait" && this.layout.drawn;
    if (unfinished) {
      this.waiting = whole.map(({ id }) => id);
      this.chosen = [];
      this.redraw(from);
    } else if (!this.waiting.length) this.chosen = [];
    this.refuse(asked);
    return Boolean(unfinished);
  }

  private async askPlaceOf(zone: string, move: string): Promise<Asked> {
    return { zone, move, judged: await judge(this.stand, move), fits: null };
  }

  private async dropFromPile(group: Lying[], zone: string, from: Map<string, DOMRect>): Promise<boolean> {
    if (zone === "pile") { this.letGo(); this.idle(); return false; }
    const [{ id, card }] = group;
    if (!(await this.perform([`take ${card}`], from))) { this.asked = null; return false; }
    if (zone === "hand") return true;
    const taken = this.board.find(id);
    if (taken) await this.drop([taken], false, zone, new Map(), null);
    return true;
  }
}

/** A table on which unknown cards of the hand at the bottom are what they were said to be. */
function withNames(layout: Layout, named: string[]): Layout {
  const name = layout.to_move;
  const hand = name === null ? null : layout.hands[name];
  if (!name || !hand || !named.length) return layout;
  const known = hand.filter((card) => card !== "?");
  const unknown = hand.length - known.length;
  const said = named.slice(0, unknown);
  return { ...layout, hands: { ...layout.hands, [name]: [...known, ...said, ...Array<string>(unknown - said.length).fill("?")] } };
}

const distinct = (cards: (Lying | undefined)[]): Lying[] => [...new Map(cards.filter((one) => one !== undefined).map((one) => [one.id, one])).values()];
/** The single actions of moves, a draw with a card that nobody has seen. */
const actionsOf = (moves: string[]): string[] =>
  moves.flatMap((move) => (move.includes(": ") ? [move] : move.split("; "))).map((action) => (action === "draw" ? "draw ?" : action));
const sayMoveOf = (action: string, layout: Layout): string => sayMove(action.replace(/^[^:]+: /, ""), layout, "does");

/** Of several refusals the one that tells most: of three cards and more why they are no meld, else what holds whatever the place. */
function telling(found: Asked[], cards: number): Asked {
  const [meld] = found;
  if (cards > 2) return meld;
  const discard = found.find(({ zone }) => zone === "pile");
  return discard ?? meld;
}
