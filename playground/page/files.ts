// Files that come in by drag and drop or from the device, and texts that go out.
import { el } from "./dom.ts";

/** A file that was given, with what is in it: its text, or its bytes in Base64 where it is encoded. */
export interface Given extends Named {
  encoded: boolean;
}

/** A text with the name of the file that it is from. */
export interface Named {
  name: string;
  text: string;
}

/** Saves a text as a file. */
export function saveText(name: string, text: string, type = "text/plain"): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Saves what a blob holds. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What takes files that are dropped, wherever on the page. */
let taker: (files: Given[]) => void = () => {};

/** Asks for files of the device, which are taken as if they were dropped; nothing where none is chosen. */
export function openFile(accept: string, take = taker): void {
  const input = el("input", { type: "file", accept, multiple: true });
  input.addEventListener("change", async () => {
    const files = await readAll([...(input.files ?? [])]);
    if (files.length) take(files);
  });
  input.click();
}

/** Files with what is in them, in the order of their names. */
async function readAll(files: File[]): Promise<Given[]> {
  const texts = await Promise.all(files.map(read));
  return texts.sort((one, other) => one.name.localeCompare(other.name));
}

async function read(file: File): Promise<Given> {
  const { name } = file;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes("\0")) return { name, text, encoded: false };
  } catch { /* it is no text in UTF-8 */ }
  const url = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result)));
    reader.addEventListener("error", () => failed(reader.error ?? new Error(`${name} cannot be read`)));
    reader.readAsDataURL(file);
  });
  return { name, text: url.slice(url.indexOf(",") + 1), encoded: true };
}

/** Takes what is dropped anywhere on the page. */
export function takeDrops(take: (files: Given[]) => void): void {
  taker = take;
  const holds = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", async (event) => {
    document.body.classList.remove("dropping");
    if (!holds(event)) return;
    event.preventDefault();
    const files = await readAll([...(event.dataTransfer?.files ?? [])]);
    if (files.length) take(files);
  });
}
