// Runs the library off the page's own thread. Everything it loads lies beside it: no other host is asked.
async function begin(loadPyodide, archive, indexURL, more = {}) {
  const python = await loadPyodide({ indexURL, ...more });
  python.unpackArchive(await archive, "zip", { extractDir: "/app" });
  python.runPython(`
import os, sys
os.environ["MELDREF_CACHE"] = "off"
sys.path.insert(0, "/app")
from meldref_service.lines import Lines
lines = Lines()
`);
  return python.globals.get("lines");
}

function serve(lines) {
  lines.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));
  return async ({ data: { id, question, given } }) => {
    try {
      const service = await lines;
      const began = performance.now();
      const { answer, error } = JSON.parse(service.reply(JSON.stringify({ id, question, arguments: given })));
      const ms = Math.round((performance.now() - began) * 10) / 10;
      postMessage(error ? { id, failed: error.message } : { id, answer, ms });
    } catch (error) {
      postMessage({ id, failed: String(error) });
    }
  };
}
