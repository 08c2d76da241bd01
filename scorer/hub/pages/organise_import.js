// The file of a tournament, for a hub that has none.

import { byId, post, show } from "./controls.js";
import { createElement } from "./element.js";
import { desk, say } from "./organise_actions.js";
import { refusalText } from "./refusal.js";
import { inLanguage } from "./tournament.js";

const MOST = 2000000; // bytes that the hub takes

export function setUpImport() {
  byId("file-label").textContent = say("desk.o.import");
  byId("file").addEventListener("change", choose);
}

// What the file has is asked about before the tournament begins.
async function choose() {
  const [file] = byId("file").files;
  if (!file) return;
  report([]);
  const found = await send(file, "&check=yes");
  if (found && confirm(say("desk.o.import.sure", found)) && (await send(file))) byId("title").focus();
  byId("file").value = ""; // the same file can be chosen again
}

// What the hub has found, or null; the reasons of a refusal are shown.
async function send(file, check = "") {
  if (file.size > MOST) return report([say("import.too_long", { limit: MOST / 1000000 })]);
  // Null also of a file that was moved or changed meanwhile.
  const answer = await post(`${inLanguage("/desk/tournament.json")}${check}`, file).catch(() => null);
  const found = answer && (await answer.json());
  await desk.look();
  if (answer?.ok) return found;
  if (found?.lines) return report(found.lines);
  const key = answer?.status === 403 ? "role" : found?.key;
  show(found ? refusalText(say, { ...found, key }, desk.state) : say("hub.offline"));
  return null;
}

function report(lines) {
  byId("file-report").replaceChildren(...lines.map((each) => createElement("p", "", each)));
  return null;
}
