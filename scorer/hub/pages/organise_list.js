// A list of teams in a file: its letters, whichever program has written it.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { say } from "./organise_actions.js";

const MOST = 1000000; // bytes
// The first bytes of workbooks, which are no text: of a zip file, and of the older ones.
const WORKBOOKS = [
  [0x50, 0x4b, 3, 4],
  [0xd0, 0xcf, 0x11, 0xe0],
];

export function setUpList() {
  byId("list-label").textContent = say("desk.o.list_file");
  byId("list").addEventListener("change", choose);
}

// The list goes into the form and is checked.
async function choose() {
  const [file] = byId("list").files;
  if (!file) return;
  const bytes = file.size > MOST ? null : new Uint8Array(await file.arrayBuffer());
  byId("list").value = ""; // the same file can be chosen again
  if (!bytes) return report(say("import.too_long", { limit: MOST / 1000000 }));
  if (WORKBOOKS.some((start) => start.every((byte, at) => bytes[at] === byte))) return report(say("desk.o.list_workbook"));
  byId("teams").value = decoded(bytes);
  byId("check").click();
}

const report = (text) => byId("report").replaceChildren(createElement("p", "", text));

// Spreadsheets save UTF-8, UTF-16 or Windows-1252. The hub decodes the file of its command alike.
function decoded(bytes) {
  try {
    return new TextDecoder(utf16(bytes) || "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// UTF-16 by its mark, or by the zeros beside the letters of a first line; "" of other bytes.
function utf16([first, second]) {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : "";
}
