// A link with what is shown, and a picture of it, drawn in the page: nothing is sent before somebody sends it.
import { pictureOf } from "./cards.ts";
import { $, $$, el, icon, openSheet } from "./dom.ts";
import { saveBlob } from "./files.ts";
import type { Position, Rules, Stand } from "./table.ts";

/** What is shared of the table. */
interface Shared {
  /** The question or the verdict, as a sentence. */
  text: string;
  /** What it began with and the moves made since, and where it stands now: with them the link opens the same table. */
  first: Stand;
  moves: string[];
  stand: Stand;
  /** The cloth, to draw the picture from. */
  board: HTMLElement;
}

/** What a link to a table holds: a position, what was done since, the rules, and the question or its answer. */
export interface Linked {
  position: Position;
  since: string[];
  rules: Rules;
  text: string;
}

const WIDE = 1080;
const MARGIN = 54;
const BAND = 170;
/** How many characters a link may have: chats and mail cut off longer ones. */
const LONGEST = 8000;

// --- links --------------------------------------------------------------------------------------

/** The address that opens a door with some data; null where it is too long. */
function linkTo(door: string, data: object): string | null {
  const link = `${location.href.split("#")[0]}#/${door}/${encodeURIComponent(JSON.stringify(data))}`;
  return link.length > LONGEST ? null : link;
}

/** The address that opens the same table, with the moves that were made unless that is too long. */
function linkOf({ first, moves, stand, text }: Shared): string | null {
  const link = (position: Position, since: string[]): string | null =>
    linkTo("allowed", { position, text, ...(since.length ? { since } : {}), ...(first.rules ? { rules: first.rules } : {}) });
  return link(first.position, moves) ?? link(stand.position, stand.since);
}

/** The address that opens a log; null where it is too long. */
export const linkOfLog = (log: string): string | null => linkTo("log", { log });

/** What a link holds, from what follows the door in the address; null where that is nothing of the kind. */
export function readLink(rest: string): Linked | null {
  const { position, since, rules, text } = objectIn(rest) ?? {};
  if (!isObject(position)) return null;
  const moves = Array.isArray(since) ? since.filter((move) => typeof move === "string") : [];
  const named = isObject(rules) && typeof rules.text === "string" ? { text: rules.text } : "";
  return { position, since: moves, rules: typeof rules === "string" ? rules : named, text: saidIn(text) };
}

/** The log that a link holds; null where it holds none. */
export const readLogLink = (rest: string): string | null => saidIn(objectIn(rest)?.log) || null;

const saidIn = (text: unknown): string => (typeof text === "string" ? text : "");
const isObject = (data: unknown): data is Record<string, unknown> => typeof data === "object" && data !== null && !Array.isArray(data);

function objectIn(rest: string): Record<string, unknown> | null {
  if (!rest.startsWith("{") || rest.length > LONGEST) return null;
  try {
    const data: unknown = JSON.parse(rest);
    return isObject(data) ? data : null;
  } catch {
    return null;
  }
}

// --- the picture --------------------------------------------------------------------------------

/** The picture of a cloth with the sentence below it. */
export async function paint({ board, text }: Shared): Promise<HTMLCanvasElement> {
  const faces = await facesOn(board);
  const frame = board.getBoundingClientRect();
  const scale = WIDE / frame.width;
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = Math.round(frame.height * scale) + BAND;
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  paintCloth(pen, canvas.height - BAND);
  for (const [node, face] of faces) {
    paintCard(pen, node, face, frame, scale);
    for (const label of $$(".as", node)) paintLabel(pen, label, frame, scale);
  }
  for (const node of $$(".who, .pts, .ask, .none", board)) paintWords(pen, node, frame, scale);
  for (const label of $$(".count", board)) paintLabel(pen, label, frame, scale);
  paintBand(pen, text, board, canvas.height);
  return canvas;
}

function paintCloth(pen: CanvasRenderingContext2D, height: number): void {
  const light = pen.createRadialGradient(WIDE / 2, height * 0.4, 80, WIDE / 2, height / 2, WIDE * 0.75);
  light.addColorStop(0, "#267a58");
  light.addColorStop(1, "#124634");
  pen.fillStyle = light;
  pen.fillRect(0, 0, WIDE, height);
}

function paintWords(pen: CanvasRenderingContext2D, node: HTMLElement, frame: DOMRect, scale: number): void {
  const place = node.getBoundingClientRect();
  if (place.width === 0) return;
  const style = getComputedStyle(node);
  pen.fillStyle = style.color;
  pen.font = `${style.fontWeight} ${Number.parseFloat(style.fontSize) * scale}px ${style.fontFamily}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const left = place.left - frame.left + Number.parseFloat(style.paddingLeft);
  pen.fillText(plainText(node), left * scale, (place.top - frame.top + place.height / 2) * scale);
}

/** Words on a ground of their own, which lie on a card: what a joker stands for, how many cards the stock has. */
function paintLabel(pen: CanvasRenderingContext2D, node: HTMLElement, frame: DOMRect, scale: number): void {
  const place = node.getBoundingClientRect();
  pen.fillStyle = getComputedStyle(node).backgroundColor;
  pen.beginPath();
  pen.roundRect((place.left - frame.left) * scale, (place.top - frame.top) * scale, place.width * scale, place.height * scale, 99);
  pen.fill();
  paintWords(pen, node, frame, scale);
}

/** The words of an element, as one line. */
export const plainText = (node: HTMLElement): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();

/** The cards on a cloth, each with the picture of what it shows. */
async function facesOn(board: HTMLElement): Promise<[HTMLElement, HTMLImageElement][]> {
  const made = new Map<string, Promise<HTMLImageElement>>();
  return Promise.all($$(".card", board).map(async (node): Promise<[HTMLElement, HTMLImageElement]> => {
    const shown = $$<HTMLElement>("svg", node).find((face) => getComputedStyle(face).visibility === "visible") ?? node;
    const id = $("use", shown)?.getAttribute("href")?.slice(1) ?? "s-unknown";
    const { color } = getComputedStyle(node);
    const key = `${id} ${color}`;
    if (!made.has(key)) made.set(key, pictureOf(id, color));
    return [node, await made.get(key)!];
  }));
}

/** A card where it lies, turned as it is turned. */
function paintCard(pen: CanvasRenderingContext2D, node: HTMLElement, face: HTMLImageElement, frame: DOMRect, scale: number): void {
  const place = node.getBoundingClientRect();
  const width = node.offsetWidth * scale;
  const height = node.offsetHeight * scale;
  const turn = getComputedStyle(node).transform;
  const { a, b } = turn === "none" ? { a: 1, b: 0 } : new DOMMatrix(turn);
  pen.save();
  pen.translate((place.left - frame.left + place.width / 2) * scale, (place.top - frame.top + place.height / 2) * scale);
  pen.rotate(Math.atan2(b, a));
  pen.translate(-width / 2, -height / 2);
  paintPaper(pen, width, height);
  pen.drawImage(face, 0, 0, width, height);
  pen.restore();
}

function paintPaper(pen: CanvasRenderingContext2D, width: number, height: number): void {
  pen.shadowColor = "rgba(0, 0, 0, .35)";
  pen.shadowBlur = 9;
  pen.shadowOffsetY = 3;
  pen.fillStyle = "#fffdf6";
  pen.beginPath();
  pen.roundRect(0, 0, width, height, width * 0.09);
  pen.fill();
  pen.shadowColor = "transparent";
}

/** The sentence below the cloth, in the colour of the verdict. */
function paintBand(pen: CanvasRenderingContext2D, text: string, board: HTMLElement, bottom: number): void {
  pen.fillStyle = "#fbf8f1";
  pen.fillRect(0, bottom - BAND, WIDE, BAND);
  const kind = /^(yes|no|not|it)\b/i.exec(text)?.[1]?.toLowerCase() ?? "";
  pen.fillStyle = { yes: "#17693f", no: "#ad1f2b", not: "#8a5800", it: "#8a5800" }[kind] ?? "#23211c";
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.font = "700 42px Besley, Georgia, serif";
  wrapped(pen, text, WIDE - 2 * MARGIN).slice(0, 2).forEach((line, index) => pen.fillText(line, MARGIN, bottom - BAND + 66 + index * 50));
  pen.fillStyle = "#625c4d";
  pen.font = "400 24px system-ui, sans-serif";
  pen.textAlign = "right";
  pen.fillText(board.closest("[data-share]")?.getAttribute("data-share") ?? "meldref · the referee for 500 Rummy", WIDE - MARGIN, bottom - 22);
}

function wrapped(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(" ")) {
    const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
    if (rows.length && pen.measureText(longer).width <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

// --- the sheet ----------------------------------------------------------------------------------

/** Opens the sheet on which a link and a picture are shared. */
export async function openShare(shared: Shared): Promise<void> {
  await document.fonts.load("700 42px Besley");
  const picture = await paint(shared);
  picture.className = "shot";
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `The table. ${shared.text}`);
  const said = el("p", { cls: "soft", role: "status", text: "The picture is made here; nothing is sent before you send it." });
  const link = linkOf(shared);
  if (link === null) said.append(" These rules are too long for a link.");
  const button = (label: string, sign: string, act: () => Promise<void>, cls = "") =>
    el("button", { cls, html: `${icon(sign)}<span>${label}</span>`, on: { click: () => void act().catch((reason: Error) => { if (reason.name !== "AbortError") said.textContent = "This browser does not allow that. Save the picture instead."; }) } });
  const tell = (words: string) => { said.textContent = words; };
  const acts = el("p", { cls: "acts" },
    button("Send the picture", "share", () => send(picture, shared.text, link, tell), "main"),
    link === null ? null : button("Copy a link", "book", async () => { await navigator.clipboard.writeText(link); tell("Copied: whoever opens it sees this table."); }),
    button("Save the picture", "save", async () => { saveBlob("may-i.png", await pngOf(picture)); tell("Saved as may-i.png."); }));
  openSheet("Share this table", el("div", { cls: "share-body" }, picture, said, acts), { cls: "side-sheet" });
}

const pngOf = (picture: HTMLCanvasElement): Promise<Blob> =>
  new Promise((done, failed) => picture.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));

/** By the device's own sheet where it has one, else into the clipboard, else into a file. */
async function send(picture: HTMLCanvasElement, text: string, link: string | null, tell: (words: string) => void): Promise<void> {
  const png = await pngOf(picture);
  const file = new File([png], "may-i.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file], text: link ? `${text}\n${link}` : text });
  if ("ClipboardItem" in window && navigator.clipboard?.write) {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    return tell("Copied: paste it into a chat.");
  }
  saveBlob("may-i.png", png);
  return tell("Saved as may-i.png.");
}
