// Files that come in by drag and drop or from the device, and texts that go out.
import { el } from "./dom.ts";

/** A file that was given, with what is in it. */
export interface Given {
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

/** Asks for files of the device; nothing where none is chosen. */
export function openFile(accept: string, take: (files: Given[]) => void): void {
  const input = el("input", { type: "file", accept, multiple: true });
  input.addEventListener("change", async () => {
    const files = await readAll([...(input.files ?? [])]);
    if (files.length) take(files);
  });
  input.click();
}

/** The texts of files, in the order of their names. */
export async function readAll(files: File[]): Promise<Given[]> {
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  return texts.sort((one, other) => one.name.localeCompare(other.name));
}

/** Takes what is dropped anywhere on the page. */
export function takeDrops(take: (files: Given[]) => void): void {
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
