import { loadPyodide } from "./pyodide.mjs";

const here = location.href.replace(/[^/]*$/, "");
onmessage = serve(begin(loadPyodide, fetch("app.zip").then((answer) => answer.arrayBuffer()), here));
