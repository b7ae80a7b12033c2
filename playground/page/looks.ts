// Light, dark, and four colours for the suits: kept on the device.
import { $$, el, keep, kept, openSheet } from "./dom.ts";

interface Looks { theme?: string; four?: boolean }
const THEMES: [string, string][] = [["auto", "As the device"], ["light", "Light"], ["dark", "Dark"]];

function remembered(): Looks {
  try { return JSON.parse(kept("looks") ?? "{}") as Looks; } catch { return {}; }
}
const looks = remembered();

/** Dresses the page as it was last time. */
export function wear(): void {
  document.documentElement.dataset.theme = looks.theme ?? "auto";
  document.documentElement.classList.toggle("four", Boolean(looks.four));
}

function change(how: Looks): void {
  Object.assign(looks, how);
  keep("looks", JSON.stringify(looks));
  wear();
}

export function openLooks(): void {
  const themes = el("div", { cls: "segments", role: "group", "aria-label": "Colours of the page" });
  for (const [theme, text] of THEMES) {
    const wearThis = (event: Event): void => {
      change({ theme });
      for (const button of $$("button", themes)) button.setAttribute("aria-pressed", String(button === event.currentTarget));
    };
    themes.append(el("button", { "aria-pressed": String((looks.theme ?? "auto") === theme), text, on: { click: wearThis } }));
  }
  const four = el("button", { cls: "switch", role: "switch", "aria-checked": String(Boolean(looks.four)), "aria-label": "Four colours for the suits" }, el("span"));
  four.addEventListener("click", () => {
    change({ four: !looks.four });
    four.setAttribute("aria-checked", String(Boolean(looks.four)));
  });
  const suits = el("div", { cls: "set" }, el("span", { cls: "label", text: "Four colours for the suits" }), four);
  openSheet("Looks", el("div", {}, el("p", { cls: "label", text: "Page" }), themes, suits), { cls: "side-sheet" });
}
