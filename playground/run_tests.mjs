// Runs the tests of the page's modules, bundled for node: node run_tests.mjs FOLDER, which has node_modules, page and tests.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = process.argv[2];
const { buildSync } = createRequire(join(folder, "package.json"))("esbuild");
const tests = readdirSync(join(folder, "tests")).filter((name) => name.endsWith(".test.ts"));
buildSync({
  absWorkingDir: folder, bundle: true, define: { SINGLE_FILE: "false" }, entryPoints: tests.map((name) => join("tests", name)),
  format: "esm", loader: { ".svg": "text" }, logLevel: "warning", outdir: "tested", outExtension: { ".js": ".mjs" }, packages: "bundle", platform: "node",
});
const made = tests.map((name) => join(folder, "tested", name.replace(/\.ts$/, ".mjs")));
process.exit(spawnSync(process.execPath, ["--test", "--test-reporter=dot", ...made], { stdio: "inherit" }).status ?? 1);
