// Unpacks the Chromium of the installed package, and the libraries that it was built with:
// `node unpack.mjs FOLDER`, the folder with node_modules.

import { execFileSync } from "node:child_process";
import { chmodSync, createReadStream, createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const [folder] = process.argv.slice(2);
const packed = join(folder, "node_modules/chrome-aws-lambda/bin");
const unpack = (from, to) =>
  pipeline(createReadStream(join(packed, from)), createBrotliDecompress(), createWriteStream(join(folder, to)));

await unpack("chromium.br", "chromium");
chmodSync(join(folder, "chromium"), 0o755);
for (const name of ["aws", "swiftshader"]) {
  await unpack(`${name}.tar.br`, `${name}.tar`);
  mkdirSync(join(folder, name), { recursive: true });
  execFileSync("tar", ["-xf", join(folder, `${name}.tar`), "-C", join(folder, name)]);
  rmSync(join(folder, `${name}.tar`));
}
rmSync(packed, { recursive: true });
