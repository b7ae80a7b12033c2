// How the referee arrives: a ring with per cent, and on a tap what it is about.
import { $, closeSheet, el, openSheet } from "./dom.ts";
import { onReferee, progress, type State, startReferee } from "./referee.ts";

const TOLD: Record<State, [string, string]> = {
  loading: ["The referee is on its way.", "It is the whole program, loaded once; afterwards it opens without a network. The example is playable already."],
  ready: ["The referee is ready.", "It works without a network now. Nothing you write leaves this page."],
  failed: ["The referee could not be loaded.", "The example and the score sheet work all the same."],
};

/** Keeps the ring at the top up to date. */
export function showProgress(pill: HTMLElement): void {
  onReferee(({ state, part, step }) => {
    pill.dataset.state = state;
    pill.style.setProperty("--part", String(part));
    const said = { loading: `${Math.round(part * 100)} %`, ready: "Ready", failed: "Not here" }[state];
    $("#referee-text", pill).textContent = said;
    pill.setAttribute("aria-label", `Referee ${said}`);
    const now = document.getElementById("referee-step");
    if (now) now.textContent = step;
  });
  pill.addEventListener("click", explain);
}

function explain(): void {
  const { state, step, reason } = progress;
  const [title, text] = TOLD[state];
  const body = el("div", {}, el("p", { text }));
  if (state === "loading") body.append(el("p", { cls: "soft" }, "Now: ", el("span", { id: "referee-step", text: step })));
  if (state === "failed") {
    const again = (): void => { closeSheet(); startReferee(); };
    body.append(el("p", { cls: "soft", text: reason }), el("p", { cls: "acts" }, el("button", { cls: "main", text: "Try again", on: { click: again } })));
  }
  openSheet(title, body, { cls: "side-sheet" });
}
