// Runs a module of tests/browser with the packed library and program: node packed_python.mjs PAGE MODULE ARGUMENT
// PAGE is the folder of the built page.

import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [page, module, argument] = process.argv.slice(2);
const from = (name) => import(pathToFileURL(path.resolve(page, name)));
const { loadPyodide } = await from("runtime/pyodide.mjs");
const { unpack, writeFiles } = await import(pathToFileURL(path.resolve("tools/browser/page/unpack.js")));
const python = await loadPyodide({
  env: { HOME: "/pyodide", TZ: process.env.TZ || "UTC" },
  fsInit: async (FS, { sitePackages }) => {
    const program = new Response(readFileSync(path.join(page, "table.pack")));
    writeFiles(FS, sitePackages, await unpack(program));
    writeFiles(FS, sitePackages, [[`played/${module}.py`, readFileSync(`tests/browser/${module}.py`)]]);
  },
});
python.setStdout({ batched: (line) => process.stdout.write(`${line}\n`) });
python.pyimport(`played.${module}`).main(python.toPy([argument]));
