// Writes the memory of an interpreter in which the library is imported and has answered once.
//     node make_snapshot.mjs FOLDER_OF_PYODIDE library.json.gz snapshot.bin.gz
// No object of Python may be held by JavaScript here, and no native module be loaded.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [runtime, library, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.resolve(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ _makeSnapshot: true });
for (const [name, text] of Object.entries(JSON.parse(zlib.gunzipSync(fs.readFileSync(library)).toString("utf-8")))) {
  python.FS.mkdirTree(path.posix.dirname(`/app/${name}`));
  python.FS.writeFile(`/app/${name}`, text);
}
python.runPython(fs.readFileSync(new URL("prepare.py", import.meta.url), "utf-8"));
fs.writeFileSync(out, zlib.gzipSync(python.makeMemorySnapshot(), { level: 9 }));
