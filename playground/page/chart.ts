// Lines over hands or evenings, as the text of an SVG picture.
import { escape } from "./dom.ts";
import { shown } from "./numbers.ts";

/** A line with the name and the colour at its end. */
export interface Line {
  name: string;
  colour: number;
  values: (number | null)[];
}

/** What a chart shows: `labels` stand below its values, `goal` is a level with a name of its own. */
export interface Chart {
  about: string;
  lines: Line[];
  labels: string[];
  goal?: number;
  places?: boolean;
  width: number;
  height: number;
}

const LEFT = 12;
const TOP = 16;
const BOTTOM = 26;
const ROW = 18;
const COLOURS = 8;
/** How wide a letter at the end of a line may be. */
const LETTER = 10;

interface Scale {
  x: (at: number) => number;
  y: (value: number) => number;
  right: number;
  low: number;
  high: number;
}

/** The picture. Its words are those at the ends of the lines; `about` names it. */
export function drawChart(chart: Chart): string {
  const scale = scaleOf(chart);
  return `<svg class="chart" viewBox="0 0 ${chart.width} ${chart.height}" role="img" aria-label="${escape(chart.about)}">
${levels(chart, scale)}${chart.lines.map((line) => drawLine(line, scale)).join("")}${ends(chart, scale)}${ticks(chart, scale)}</svg>`;
}

function scaleOf({ lines, goal, places, width, height, labels }: Chart): Scale {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const low = places ? 1 : Math.min(0, ...values);
  const high = Math.max(goal ?? (places ? 2 : 1), ...values);
  const longest = Math.max(...lines.map((line) => ending(line, places).length), 3);
  const right = width - Math.min(width * 0.4, 18 + longest * LETTER);
  const most = Math.max(1, labels.length - 1);
  const part = (value: number) => (value - low) / (high - low || 1);
  return {
    x: (at) => LEFT + ((right - LEFT) * at) / most,
    y: (value) => TOP + (height - TOP - BOTTOM) * (places ? part(value) : 1 - part(value)),
    right,
    low,
    high,
  };
}

function levels({ goal, places }: Chart, { x, y, right, high }: Scale): string {
  const across = (value: number, kind: string) => `<line class="${kind}" x1="${x(0)}" x2="${right}" y1="${round(y(value))}" y2="${round(y(value))}"/>`;
  if (places) return Array.from({ length: high }, (_, place) => across(place + 1, "zero")).join("");
  return across(0, "zero") + (goal === undefined ? "" : across(goal, "aim"));
}

function drawLine({ values, colour }: Line, { x, y }: Scale): string {
  const points = values.flatMap((value, at) => (value === null ? [] : [[round(x(at)), round(y(value))] as const]));
  const dots = points.map(([across, down]) => `<circle class="pt" cx="${across}" cy="${down}" r="3.5"/>`).join("");
  const kind = `p${colour % COLOURS}`;
  return `<g class="${kind}"><polyline class="run" points="${points.map((point) => point.join(",")).join(" ")}"/>${dots}</g>`;
}

/** The names at the ends of the lines, one below the other where they would overlap. */
function ends({ lines, places, height, goal }: Chart, { y, right }: Scale): string {
  const rows = lines
    .map((line) => ({ line, at: y(lastOf(line)) }))
    .sort((one, other) => one.at - other.at);
  rows.forEach((row, index) => {
    if (index > 0) row.at = Math.max(row.at, rows[index - 1]!.at + ROW);
  });
  const over = Math.max(0, (rows.at(-1)?.at ?? 0) - (height - BOTTOM + 8));
  const text = rows.map(({ line, at }) => `<text class="end p${line.colour % COLOURS}" x="${right + 10}" y="${round(at - over + 5)}">${escape(ending(line, places))}</text>`);
  const free = goal !== undefined && rows.every(({ at }) => Math.abs(at - over - y(goal)) >= ROW);
  return text.join("") + (free ? `<text class="aim-t" x="${right + 10}" y="${round(y(goal) + 5)}">${goal}</text>` : "");
}

/** The numbers below: not more of them than there is room for. */
function ticks({ labels, height, width }: Chart, { x }: Scale): string {
  const longest = Math.max(...labels.map((label) => label.length), 1);
  const every = Math.max(1, Math.ceil((labels.length * (longest * 9 + 12)) / width));
  return labels.map((label, at) => (label && at % every === 0 ? `<text class="tick${at === 0 ? " first" : ""}" x="${at === 0 ? 2 : round(x(at))}" y="${height - 5}">${escape(label)}</text>` : "")).join("");
}

const lastOf = (line: Line): number => line.values.findLast((value) => value !== null) ?? 0;
const ending = (line: Line, places?: boolean): string => (places ? `${lastOf(line)}. ${short(line.name)}` : `${short(line.name)} ${shown(lastOf(line))}`);
const short = (name: string): string => (name.length > 10 ? `${name.slice(0, 9)}…` : name);
const round = (number: number): number => Math.round(number * 10) / 10;
