// The file of a tournament, which is played beside the others.

import { byId, post } from "./controls.js";
import { createElement } from "./element.js";
import { choose, desk, say, settle } from "./organise_actions.js";
import { answerOf, clearRefusal, usedPlace } from "./refusal.js";
import { inLanguage } from "./tournament.js";

const MOST = 2000000; // bytes that the hub takes

export function setUpImport() {
  byId("file-label").textContent = say("desk.o.import");
  byId("file").addEventListener("change", chooseFile);
}

// What the file has is asked about before the tournament begins.
async function chooseFile() {
  const [file] = byId("file").files;
  if (!file) return;
  report([]);
  const place = usedPlace();
  clearRefusal(place);
  const found = await send(file, place, "&check=yes");
  const made = found && confirm(say("desk.o.import.sure", found)) && (await send(file, place));
  if (made) {
    choose(made.tournament);
    await desk.look();
    byId("title").focus();
  }
  byId("file").value = ""; // the same file can be chosen again
}

// What the hub has found, or null; the reasons of a refusal are shown.
async function send(file, place, check = "") {
  if (file.size > MOST) return report([say("import.too_long", { limit: MOST / 1000000 })]);
  // It does not arrive either if the file was moved or changed meanwhile.
  const seen = `&seen=${desk.state.seq}`;
  const answer = await answerOf(post(`${inLanguage("/desk/tournament.json")}${seen}${check}`, file));
  return answer.found.lines ? report(answer.found.lines) : settle(answer, place, !check);
}

function report(lines) {
  byId("file-report").replaceChildren(...lines.map((each) => createElement("p", "", each)));
  if (lines.length) byId("file-report").scrollIntoView({ block: "nearest" });
  return null;
}
