// What somebody wrote, and something else took the place of: kept on the device, and offered back.
import { el, icon, keep, kept } from "./dom.ts";

/** A short sign by which a long text is known again: there is room for one copy of a large log, not for two. */
function signOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return text && `${text.length} ${hash}`;
}

/** A text of the page that links, files and examples can take the place of. */
export class Aside {
  /** Brings back what was put aside; out of sight while there is nothing. */
  readonly button: HTMLElement;
  private readonly text: string;
  private readonly opened: string;

  /** `name` is what the text is kept under, `ours` are texts that the page itself begins with. */
  constructor(name: string, label: string, private readonly ours: string[], private readonly bring: (text: string) => void) {
    this.text = `${name}-aside`;
    this.opened = `${name}-opened`;
    this.button = el("button", { html: `${icon("undo")}<span>${label}</span>`, on: { click: () => this.back() } });
    this.update();
  }

  /** Says that a text makes room for another one; it is kept, unless it was opened here and never changed. */
  replace(before: string, now: string): void {
    if (before.trim() && before !== now && !this.ours.includes(before) && signOf(before) !== kept(this.opened)) keep(this.text, before);
    keep(this.opened, signOf(now));
    this.update();
  }

  private back(): void {
    const text = kept(this.text) ?? "";
    keep(this.text, "");
    this.bring(text);
    keep(this.opened, "");
    this.update();
  }

  private update(): void {
    this.button.hidden = !kept(this.text);
  }
}
