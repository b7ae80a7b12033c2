// Opens the doors. The first table is drawn from data in the page, so there is something to touch before anything else has come.
import { mountAllowed } from "./allowed.ts";
import { installCards } from "./cards.ts";
import type { Door, Mount } from "./door.ts";
import { $, $$ } from "./dom.ts";
import { mountLog, showLog } from "./log.ts";
import { openLooks, wear } from "./looks.ts";
import { startReferee } from "./referee.ts";
import { showProgress } from "./arrival.ts";
import { receiveDrops } from "./receive.ts";
import { mountRules } from "./rules.ts";
import { mountScore } from "./score.ts";
import { readLogLink } from "./share.ts";

const DOORS: Record<string, Mount> = { allowed: mountAllowed, log: mountLog, rules: mountRules, score: mountScore };
const opened = new Map<string, Door>();

/** Opens the door that the address names: `#/rules/draw.deep.must` is the second one at that key. */
function route(focus = true): void {
  const [, wanted = "", ...rest] = location.hash.split("/");
  const name = Object.hasOwn(DOORS, wanted) ? wanted : "allowed";
  const given = decoded(rest.join("/"));
  const log = name === "log" ? readLogLink(given) : null;
  if (log) return showLog(log);
  const section = $(`#${name}`);
  document.body.dataset.door = name;
  for (const door of Object.keys(DOORS)) $(`#${door}`).hidden = door !== name;
  for (const link of $$(".doors a")) {
    if (link.dataset.door === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const door = opened.get(name) ?? DOORS[name](section);
  opened.set(name, door);
  scrollTo(0, 0);
  if (focus) section.focus({ preventScroll: true });
  door.open(given);
}

/** A part of the address as it was meant; what is wrongly written stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

wear();
installCards();
route(false);
addEventListener("hashchange", () => route());
$("#looks").addEventListener("click", openLooks);
showProgress($("#referee"));
receiveDrops();
// In the frame of another page, megabytes come for those who touch it. In a single file they stand behind this script.
if (self !== top) for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, startOnce);
else if (document.readyState === "loading") addEventListener("DOMContentLoaded", startReferee);
else startReferee();

function startOnce(): void {
  for (const touched of ["pointerdown", "keydown"]) removeEventListener(touched, startOnce);
  startReferee();
}
