// Runs Python code in Pyodide under node: node run_python.mjs PYODIDE MODULE [ARGUMENT...]
// PYODIDE is a folder with the runtime, MODULE one of the repository, whose main(arguments) is called.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, module, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.resolve(runtime, "pyodide.mjs")));
const pyodide = await loadPyodide({ env: { HOME: "/pyodide", PYTHONDONTWRITEBYTECODE: "1" } });
pyodide.FS.mkdirTree("/repository");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: process.cwd() }, "/repository");
pyodide.globals.set("arguments", pyodide.toPy(rest));
pyodide.runPython(`
import importlib, os, sys
os.chdir("/repository")
sys.path.insert(0, "/repository")
importlib.import_module("${module}").main(arguments)
`);
