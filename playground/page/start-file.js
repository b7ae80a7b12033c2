const inside = Object.entries(JSON.parse(document.getElementById("inside").textContent));
const workerText = document.getElementById("worker").textContent;
const unpackedFiles = inside.map(([name, text]) => [name, Uint8Array.from(atob(text), (one) => one.charCodeAt(0))]);

function startWorker() {
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(workerText)}`, { type: "module" });
  worker.postMessage(unpackedFiles);
  return worker;
}
