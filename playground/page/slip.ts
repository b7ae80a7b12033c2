// The slip of the referee: a stamp, one sentence, one more at most, what to do, and the rule a tap away.
import { $, el, icon, openSheet } from "./dom.ts";
import { openRule } from "./rule.ts";
import type { Finding } from "./table.ts";

export type Kind = "idle" | "yes" | "no" | "maybe" | "wait";
export interface Act {
  label: string;
  icon?: string;
  main?: boolean;
  do: () => void;
}
export interface Panel {
  kind: Kind;
  title: string;
  sub?: string;
  /** What stands before the buttons: "Instead". */
  instead?: string;
  acts?: Act[];
  rule?: Finding | null;
}
const STAMPS: Record<Kind, string> = { idle: "touch", yes: "yes", no: "no", maybe: "maybe", wait: "dots" };

export class Slip {
  readonly root = el("div", { cls: "verdict", "data-kind": "idle" });
  /** The buttons, which stand under the hand on a phone, and beside them the rule. */
  readonly bar = el("div", { cls: "bar" });
  private readonly acts = el("div", { cls: "acts", role: "group", "aria-label": "What may be done" });
  private readonly said = el("div", { cls: "said", role: "status" });
  private readonly stamp = el("span", { cls: "stamp" });
  private readonly tools = el("div", { cls: "slip-tools" });
  private shown = "";
  /** A button that stands among what may be done while nothing was asked, and else where it is at home. */
  invited: { button: HTMLElement; home: HTMLElement } | null = null;

  constructor() {
    this.root.append(this.stamp, this.said);
    this.bar.append(this.acts, this.tools);
  }

  show(panel: Panel): void {
    const { kind, title, sub = "", rule } = panel;
    const now = kind + title;
    this.root.dataset.kind = kind;
    this.stamp.className = `stamp ${now === this.shown ? "" : "in"}`;
    this.stamp.innerHTML = icon(STAMPS[kind]);
    this.shown = now;
    this.said.replaceChildren(el("p", { cls: "title", html: title }), ...(sub ? [el("p", { cls: "sub", html: sub })] : []));
    const large = kind === "yes" || kind === "no" || kind === "maybe";
    const why = rule ? el("button", { cls: "quiet why", "aria-label": "Why? The rule", html: `${icon("book")}<span>Why?</span>`, on: { click: () => openRule(rule) } }) : null;
    const across = large ? el("button", { cls: "quiet round across", "aria-label": "Show it large, turned round", html: icon("rotate"), on: { click: () => turnRound(kind, title, sub) } }) : null;
    this.tools.replaceChildren(...[why, across].filter((one) => one !== null));
    this.showActs(panel);
  }

  private showActs({ kind, acts = [], instead }: Panel): void {
    const buttons = acts.map((act) => el("button", { cls: act.main ? "main" : "", html: `${act.icon ? icon(act.icon) : ""}<span>${act.label}</span>`, on: { click: act.do } }));
    this.acts.replaceChildren(...(instead && buttons.length ? [el("span", { cls: "instead", text: instead })] : []), ...buttons);
    if (!this.invited) return;
    const { button, home } = this.invited;
    if (kind === "idle") this.acts.append(button);
    else if (button.parentElement !== home) home.prepend(button);
  }
}

/** A verdict large enough for whoever sits across the table. */
function turnRound(kind: Kind, title: string, sub: string): void {
  const words = el("div", { cls: "large-words", "data-kind": kind }, el("p", { cls: "title", html: title }), sub ? el("p", { html: sub }) : null);
  const turn = el("button", { text: "Turn it the other way", on: { click: () => $(".large-words")?.classList.toggle("upright") } });
  openSheet("The verdict", el("div", {}, words, el("p", { cls: "acts" }, turn)), { cls: "large-sheet" });
}
