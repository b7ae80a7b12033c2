// How the worker starts: beside the page where it is served, out of the page where it is one file.
declare const SINGLE_FILE: boolean;

/** A worker about to load the library. */
export function startWorker(): Worker {
  if (!SINGLE_FILE) return new Worker("worker.js", { type: "module" });
  const text = document.getElementById("worker")?.textContent ?? "";
  const inside = JSON.parse(document.getElementById("inside")?.textContent ?? "{}") as Record<string, string>;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(text)}`, { type: "module" });
  worker.postMessage(Object.entries(inside));
  return worker;
}
