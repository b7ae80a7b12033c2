// In a single file nothing lies beside the page: it sends what the worker loads, compressed, and every request for
// it is answered from there.
const TYPES = { mjs: "text/javascript", wasm: "application/wasm" };

async function opened(files) {
  const urls = {}; // of this worker's own: those of a page without an origin cannot be imported here
  const bytes = {};
  for (const [name, packed] of files) {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes[name] = await new Response(stream).arrayBuffer();
    urls[name] = URL.createObjectURL(new Blob([bytes[name]], { type: TYPES[name.split(".").pop()] }));
  }
  const outside = globalThis.fetch;
  globalThis.fetch = (what, how) => outside(urls[String(what.url ?? what).split("/").pop()] ?? what, how);
  const { default: createPyodideModule } = await import(urls["pyodide.asm.mjs"]);
  const { loadPyodide } = await import(urls["pyodide.mjs"]);
  const lockFileContents = new TextDecoder().decode(bytes["pyodide-lock.json"]);
  const more = { createPyodideModule, lockFileContents };
  return begin(loadPyodide, bytes["app.zip"], "https://inside.invalid/", more);
}

onmessage = ({ data }) => { onmessage = serve(opened(data)); };
