// Starts Python in the worker, and tells how far it is.

declare const SINGLE_FILE: boolean;
/** How many bytes each file that is loaded has. */
declare const SIZES: Record<string, number>;

/** How many seconds a start from the snapshot saves: where loading it takes longer, the plain start is quicker. */
const SAVED = 5;
/** After how many milliseconds of loading its speed is judged. */
const JUDGED_AFTER = 600;
const TYPES: Record<string, string> = { mjs: "text/javascript", wasm: "application/wasm" };
const PREPARE = `
import os, sys
os.environ["MELDREF_CACHE"] = "off"
sys.path.insert(0, "/app")
from meldref_service.lines import Lines
lines = Lines()
`;
const RESTORED = "import random; random.seed()";

/** The library's files: what stands in each, by its path. */
type Files = Record<string, string>;
interface Python {
  FS: { mkdirTree(path: string): void; writeFile(path: string, bytes: Uint8Array, how: { canOwn: boolean }): void };
  runPython(code: string): unknown;
  globals: { get(name: string): any };
}
type Module = { _malloc(size: number): number; _free(address: number): void };
type CreateModule = (settings: object) => Promise<Module>;
interface Loader {
  load(settings: object): Promise<Python>;
  createModule: CreateModule;
  settings: object;
}

const outside = globalThis.fetch.bind(globalThis);
const begun = performance.now();
let loaded = 0;

/** Something that answers, and takes in more of the library when that is needed. */
export interface Answering { lines: { reply(message: string): string }; addWorkbooks(): Promise<void> }

/** Python with the library imported, ready to answer. */
export async function begin(): Promise<Answering> {
  const loader = SINGLE_FILE ? await loaderInside() : await loaderBeside();
  const [snapshot, files] = await Promise.all([snapshotInTime(), filesOf("library.json.gz")]);
  const python = (snapshot && (await restored(loader, snapshot, files))) ?? (await plain(loader, files));
  let workbooks: Promise<void> | null = null;
  const add = async (): Promise<void> => {
    writeAll(python, await filesOf("workbooks.json.gz"));
    python.runPython("import importlib; importlib.invalidate_caches()");
  };
  return { lines: python.globals.get("lines"), addWorkbooks: () => (workbooks ??= add().catch((error) => { workbooks = null; throw error; })) };
}

async function restored(loader: Loader, snapshot: Uint8Array, files: Files): Promise<Python | null> {
  tell("Python, as it was left");
  try {
    const python = await loader.load({ ...loader.settings, _loadSnapshot: snapshot, createPyodideModule: roomFor(snapshot, loader.createModule) });
    writeAll(python, files);
    python.runPython(RESTORED);
    return python;
  } catch (error) {
    console.info(`meldref: no start from the snapshot (${error}), so a plain one`);
    return null;
  }
}

/** The memory of a new module starts at its own size, whatever the snapshot's is: it grows before it is filled. */
function roomFor(snapshot: Uint8Array, createModule: CreateModule): CreateModule {
  return async (settings) => {
    const module = await createModule(settings);
    module._free(module._malloc(snapshot.length));
    return module;
  };
}

async function plain(loader: Loader, files: Files): Promise<Python> {
  tell("Python");
  const python = await loader.load({ ...loader.settings, createPyodideModule: loader.createModule });
  tell("The rules of all games");
  writeAll(python, files);
  python.runPython(PREPARE);
  return python;
}

async function loaderBeside(): Promise<Loader> {
  const here = location.href.replace(/[^/]*$/, "");
  globalThis.fetch = async (what, how) => counted(await outside(what, how));
  const [{ loadPyodide }, { default: createModule }] = await Promise.all([import(`${here}pyodide.mjs`), import(`${here}pyodide.asm.mjs`)]);
  return { load: loadPyodide, createModule, settings: { indexURL: here } };
}

/** In a single file nothing lies beside the page, which sends what is loaded, compressed: each request is answered from there. */
async function loaderInside(): Promise<Loader> {
  const packed = await new Promise<[string, string][]>((came) => {
    addEventListener("message", ({ data }) => { if (Array.isArray(data)) came(data); });
  });
  const urls: Record<string, string> = {}; // of this worker's own: those of a page without an origin cannot be imported here
  const texts: Record<string, string> = {};
  for (const [name, text] of packed) {
    const bytes = decoded(text);
    const opened = name.endsWith(".gz") ? bytes.buffer : await new Response(unpacked(new Blob([bytes]).stream())).arrayBuffer();
    urls[name] = URL.createObjectURL(new Blob([opened], { type: TYPES[name.split(".").pop() ?? ""] }));
    if (name === "pyodide-lock.json") texts[name] = new TextDecoder().decode(opened);
  }
  globalThis.fetch = async (what, how) => counted(await outside(urls[String(what instanceof Request ? what.url : what).split("/").pop() ?? ""] ?? what, how));
  const { default: createModule } = await import(urls["pyodide.asm.mjs"]);
  const { loadPyodide } = await import(urls["pyodide.mjs"]);
  return { load: loadPyodide, createModule, settings: { indexURL: "https://inside.invalid/", lockFileContents: texts["pyodide-lock.json"] } };
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const unpacked = (stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> => stream.pipeThrough(new DecompressionStream("gzip"));

async function filesOf(name: string): Promise<Files> {
  const answer = await fetch(name);
  if (!answer.ok || !answer.body) throw new Error(`${name} could not be loaded`);
  return new Response(unpacked(answer.body)).json();
}

function writeAll({ FS }: Python, files: Files): void {
  const folders = new Set(Object.keys(files).map((name) => name.slice(0, Math.max(0, name.lastIndexOf("/")))));
  for (const folder of folders) FS.mkdirTree(`/app/${folder}`);
  const encoder = new TextEncoder();
  for (const [name, text] of Object.entries(files)) FS.writeFile(`/app/${name}`, encoder.encode(text), { canOwn: true });
}

/** The snapshot; null where there is none, or where it comes so slowly that starting plainly is quicker. */
async function snapshotInTime(): Promise<Uint8Array | null> {
  let late = false;
  const tooSlow = new Promise<null>((giveUp) => {
    setTimeout(() => {
      const left = (SIZES["snapshot.bin.gz"] ?? 0) - loaded;
      const speed = (loaded * 1000) / (performance.now() - begun);
      late = left > SAVED * speed;
      if (late) giveUp(null);
    }, JUDGED_AFTER);
  });
  return Promise.race([snapshotUnless(() => late).catch(() => null), tooSlow]);
}

/** The snapshot, unless it is given up on its way: the rest is then not loaded. */
async function snapshotUnless(late: () => boolean): Promise<Uint8Array | null> {
  const answer = await fetch("snapshot.bin.gz");
  if (!answer.ok || !answer.body) return null;
  const reader = unpacked(answer.body).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (late()) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** An answer whose bytes are counted as they come; WebAssembly is left as it is, since browsers keep what they made of it. */
function counted(answer: Response): Response {
  if (!answer.ok || !answer.body) return answer;
  if (answer.headers.get("Content-Type") === TYPES.wasm) {
    loaded += SIZES["pyodide.asm.wasm"] ?? 0;
    return answer;
  }
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, on) {
      loaded += chunk.length;
      on.enqueue(chunk);
      tell("The referee");
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: answer.headers, status: answer.status });
}

let told = 0;
let last = "";
/** How much has come, of all that is loaded; the rest is the work of starting. */
function tell(step: string): void {
  const whole = Object.values(SIZES).reduce((sum, size) => sum + size, 0);
  const part = Math.min(0.97, (loaded / whole) * 0.9);
  if (step === last && part - told < 0.01) return;
  [told, last] = [part, step];
  postMessage({ part, step });
}
