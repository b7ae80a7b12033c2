// Standings: the totals over an evening and the places over a season, as charts, with the numbers below.
import { $$, el, openSheet, scrolling } from "./dom.ts";
import { drawChart } from "./chart.ts";
import { type Evening, type Played, eveningsOf, placesOver, playedOf, recordsCsv, recordsOf, sayDay, totalsOver } from "./evenings.ts";
import { type Named, saveText } from "./files.ts";
import { rulesFor } from "./house.ts";
import { ask } from "./referee.ts";
import { shown } from "./numbers.ts";
import type { Game, Points } from "./sheet.ts";

/** The sheet of a game, as the service has it. */
interface Sheet {
  names: string[];
  hands: { scores: Points[] }[];
  winners: string[];
}

/** Shows the games that the device keeps, evening by evening. */
export function openStandings(games: Game[]): void {
  open(games.map(playedOf), []);
}

/** Shows the games of logs and score sheets; the referee counts them. */
export async function showStandings(files: Named[], doubts: string[] = []): Promise<void> {
  const games: Played[] = [];
  const unread: string[] = [];
  for (const { name, text } of files) {
    const day = /^\s*\[Date\s+"([^"]*)"/m.exec(text)?.[1] ?? /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? name.replace(/\.\w+$/, "");
    const told = await ask<{ games: Sheet[] }>("score", { log: text, rules: rulesFor(text) }).catch(() => ({ games: [] }));
    if (told.games.length === 0) unread.push(name);
    games.push(...told.games.map(({ names, hands, winners }) => ({ day, names, winners, hands: hands.map((hand) => hand.scores) })));
  }
  open(games, [...doubts, ...unread.map((name) => `${name}: no scores could be read`)]);
}

function open(games: Played[], doubts: string[]): void {
  const played = games.filter((game) => game.hands.length > 0);
  const body = el("div", { cls: "standings" });
  const evenings = eveningsOf(played);
  const last = evenings.at(-1);
  const show = (evening: Evening | null) => draw(body, evenings, evening, show);
  if (last === undefined) body.append(el("p", { cls: "soft", text: "Nothing has been written down yet." }));
  else show(evenings.length > 1 ? null : last);
  const left = doubts.length ? el("ul", { cls: "open-list" }, ...doubts.map((text) => el("li", { text }))) : null;
  openSheet("Standings", el("div", {}, body, left), { cls: "wide-sheet" });
}

/** One evening, or with none the season. */
function draw(body: HTMLElement, evenings: Evening[], evening: Evening | null, show: (evening: Evening | null) => void): void {
  const games = (evening === null ? evenings : [evening]).flatMap((one) => one.games);
  const records = recordsOf(games);
  const choice = (text: string, value: Evening | null) => el("button", { text, "aria-pressed": String(value === evening), on: { click: () => show(value) } });
  const chart = evening === null ? seasonChart(evenings) : eveningChart(evening);
  const held = $$("button", body).indexOf(document.activeElement as HTMLButtonElement);
  body.replaceChildren(
    el("div", { cls: "evenings", role: "group", "aria-label": "What is shown" }, choice("The season", null), ...evenings.toReversed().map((one) => choice(sayDay(one.day), one))),
    el("h3", { text: evening === null ? "Places after each evening" : `Totals, ${sayDay(evening.day)}` }),
    el("div", { cls: "chart-box", html: chart }),
    table(records),
    el("p", { cls: "acts" }, el("button", { text: "Save as CSV", on: { click: () => saveText("standings.csv", recordsCsv(records), "text/csv") } })),
  );
  if (held >= 0) $$("button", body)[held]?.focus({ preventScroll: true });
}

const width = (): number => Math.max(300, Math.min(640, innerWidth - 48));

function eveningChart({ day, games }: Evening): string {
  const lines = totalsOver(games).map((run, colour) => ({ ...run, colour }));
  const hands = games.reduce((sum, game) => sum + game.hands.length, 0);
  const labels = Array.from({ length: hands + 1 }, (_, hand) => (hand ? String(hand) : ""));
  return drawChart({ about: `Totals after each hand, ${sayDay(day)}`, lines, labels, width: width(), height: 220 });
}

function seasonChart(evenings: Evening[]): string {
  const lines = placesOver(evenings).map((run, colour) => ({ ...run, colour }));
  const labels = evenings.map(({ day }) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? day.slice(5) : day.slice(0, 8)));
  return drawChart({ about: "Places after each evening", lines, labels, places: true, width: width(), height: 60 + 34 * lines.length });
}

function table(records: ReturnType<typeof recordsOf>): HTMLElement {
  const head = ["Player", "Games", "Won", "Hands", "Points"].map((text) => el("th", { scope: "col", text }));
  const rows = records.map(({ name, games, wins, hands, points }) =>
    el("tr", {}, el("th", { scope: "row", text: name }), ...[games, wins, hands, points].map((number) => el("td", { text: shown(number) }))));
  return scrolling("Standings", el("table", { cls: "sheet-table" }, el("caption", { cls: "hide", text: "Games, wins, hands and points" }), el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
}
