// Runs the library off the page's own thread. Everything it loads lies beside it: no other host is asked.
async function begin(loadPyodide, archive, indexURL, more = {}) {
  const python = await loadPyodide({ indexURL, ...more });
  python.unpackArchive(await archive, "zip", { extractDir: "/app" });
  python.runPython(`
import os, sys
os.environ["MELDREF_CACHE"] = "off"
sys.path.insert(0, "/app")
import referee
`);
  return python.globals.get("referee");
}

function serve(referee) {
  referee.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));
  return async ({ data: { id, name, given } }) => {
    try {
      const asked = (await referee).answer;
      const began = performance.now();
      const answer = JSON.parse(asked(name, given));
      postMessage({ id, answer, ms: Math.round((performance.now() - began) * 10) / 10 });
    } catch (error) {
      postMessage({ id, failed: String(error) });
    }
  };
}
