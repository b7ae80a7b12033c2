// <meldref-viewer>: a position or a game in any page, by one script and without the referee. What is shown are answers of
// the service: the `layout` of a position, or the `boards` of a log, as JSON in the element or at its address `src`.
//
//     <script type="module" src="meldref-viewer.js"></script>
//     <meldref-viewer><script type="application/json">{"layout": …}</script></meldref-viewer>
import { Board } from "./board.ts";
import { cardSymbols } from "./cards.ts";
import cards from "../../validator/meldref_table/report/cards.css";
import looks from "../../validator/meldref_table/report/looks.css";
import tableStyle from "./css/table.css";
import tokens from "./css/tokens.css";
import viewerStyle from "./css/viewer.css";
import { el } from "./dom.ts";
import type { Layout } from "./table.ts";

interface Shown { line: number | null; layout: Layout }
/** What a page gives: the answer to `position`, or to `boards`. */
type Given = { layout?: Layout; boards?: { line: number; layout: Layout }[] };

const TURN = '<svg width="0" height="0" aria-hidden="true"><symbol id="i-turn" viewBox="0 0 24 24"><path d="M8 5.5l9 6.5-9 6.5Z"/></symbol></svg>';

class MeldrefViewer extends HTMLElement {
  private shown: Shown[] = [];
  private at = 0;
  private board: Board | null = null;
  private readonly place = el("output", { cls: "place" });

  connectedCallback(): void {
    if (this.board) return;
    const shadow = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    // What a page says of its root, the viewer says of itself; a style made by a script may load neither a font nor another style.
    sheet.replaceSync((looks + cards + tokens + tableStyle + viewerStyle).replace(/@font-face\s*\{[^}]*\}|@import[^;]*;/g, "").replaceAll(":root", ":host"));
    shadow.adoptedStyleSheets = [sheet];
    const cloth = el("div");
    const symbols = el("div", { cls: "sprite", html: cardSymbols() + TURN });
    this.board = new Board(cloth, true);
    shadow.append(symbols, cloth, this.controls());
    this.read().then((given) => this.take(given), (error) => { this.place.textContent = `This cannot be shown: ${error instanceof Error ? error.message : error}`; });
  }

  private async read(): Promise<Given> {
    const address = this.getAttribute("src");
    if (address) return (await fetch(address)).json() as Promise<Given>;
    return JSON.parse(this.querySelector("script")?.textContent ?? "{}") as Given;
  }

  private take({ layout, boards = [] }: Given): void {
    this.shown = layout ? [{ line: null, layout }] : boards;
    if (!this.shown.length) throw new Error("there is neither a layout nor boards in it");
    this.go(0);
  }

  private controls(): HTMLElement {
    const step = (label: string, sign: string, by: number): HTMLElement =>
      el("button", { "aria-label": label, text: sign, on: { click: () => this.go(this.at + by) } });
    return el("div", { cls: "steps", role: "group", "aria-label": "Through the game" }, step("One line back", "‹", -1), this.place, step("One line forward", "›", 1));
  }

  private go(at: number): void {
    const one = this.shown[at];
    if (!one) return;
    this.at = at;
    this.board?.show(one.layout);
    this.place.textContent = one.line === null ? "" : `line ${one.line}`;
    this.shadowRoot?.querySelector<HTMLElement>(".steps")?.toggleAttribute("hidden", this.shown.length < 2);
  }
}

customElements.define("meldref-viewer", MeldrefViewer);
