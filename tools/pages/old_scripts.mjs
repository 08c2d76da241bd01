// Checks that scripts, and all modules that they import, parse as ES2017, as browsers of televisions
// read them: `node old_scripts.mjs FOLDER SCRIPT...`, the folder with acorn in its node_modules.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const SHARED = "scorer/serving/pages"; // served beside the files of a package
const [folder, ...scripts] = process.argv.slice(2);
const { parse } = createRequire(resolve(folder, "package.json"))("acorn");
const waiting = scripts.map((script) => resolve(script));
const seen = new Set(waiting);
let failed = 0;

for (const path of waiting) {
  let program;
  try {
    program = parse(readFileSync(path, "utf8"), { ecmaVersion: 2017, sourceType: "module" });
  } catch (error) {
    console.error(`${path}: not ES2017: ${error.message}`);
    failed += 1;
    continue;
  }
  for (const { source } of program.body) {
    if (!source) continue;
    const found = [dirname(path), resolve(SHARED)].map((place) => join(place, source.value)).find(existsSync);
    if (!found) {
      console.error(`${path}: there is no ${source.value}`);
      failed += 1;
    } else if (!seen.has(found)) {
      seen.add(found);
      waiting.push(found);
    }
  }
}
console.log(`${seen.size - failed} scripts are ES2017, ${failed} are not.`);
process.exit(failed ? 1 : 0);
