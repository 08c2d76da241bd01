// The form of a new tournament: format, rules, teams.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { act, choose, desk, request as send, say } from "./organise_actions.js";
import { answerOf, usedPlace } from "./refusal.js";
import { asked } from "./organise_teams.js";
import { request } from "./request.js";
import { drawRules } from "./rules_form.js";
import { inLanguage } from "./tournament.js";

const PAUSE = 500; // milliseconds without a key until what is typed is read
const NAMES = ["name", "date", "category"];

let offer = { formats: [], variants: [], tiebreaks: [] };
let changes = () => ({});
let timer = 0; // of the list that is read while it is typed
let reading = 0; // the newest of the lists that were sent

export async function setUpForm() {
  byId("format-label").textContent = say("desk.o.format");
  for (const each of NAMES) byId(`${each}-label`).textContent = say(`desk.o.${each}`);
  byId("teams-label").textContent = say("desk.o.teams");
  byId("rules-title").textContent = say("desk.o.rules");
  byId("check").textContent = say("desk.o.check");
  byId("create").textContent = say("desk.o.begin");
  byId("check").addEventListener("click", () => check(usedPlace()));
  byId("begin").addEventListener("submit", create);
  byId("teams").addEventListener("input", readSoon);
  byId("format").addEventListener("change", () => {
    chooseFormat();
    readSoon();
  });
  byId("rules").addEventListener("change", readSoon);
  const answer = await request(inLanguage("/desk/formats")).catch(() => null);
  if (!answer || !answer.ok) return;
  offer = answer.json();
  byId("format").replaceChildren(...offer.formats.map(({ id, title }) => new Option(title, id)));
  chooseFormat();
}

function chooseFormat() {
  const format = offer.formats.find(({ id }) => id === byId("format").value);
  byId("columns").textContent = say("desk.o.columns", format);
  changes = drawRules(say, byId("rules"), format, offer);
}

const typed = () => ({ format: byId("format").value, teams: byId("teams").value, changes: changes() });

async function check(place) {
  if (!byId("begin").reportValidity()) return null;
  clearTimeout(timer);
  reading += 1;
  const found = await act("t.check", typed(), place);
  if (!found) return null;
  report(found);
  byId("report").scrollIntoView({ block: "nearest" });
  return found;
}

// A list is shown as it is read before anything is decided on it.
function readSoon() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    reading += 1;
    const own = reading;
    if (!byId("teams").value.trim() || byId("rules").querySelector(":invalid")) return byId("report").replaceChildren();
    const { ok, found } = await answerOf(send("t.check", typed()));
    if (ok && own === reading) report(found);
  }, PAUSE);
}

function report({ heading, preview, lines, teams, matches }) {
  const sum = say("desk.o.sum", { n: teams, m: matches });
  const texts = [heading, ...lines, matches && sum].filter(Boolean);
  byId("report").replaceChildren(...previewTable(preview), ...texts.map((each) => createElement("p", "", each)));
}

// The first teams as they are read; each player on a line.
function previewTable({ title, columns, rows }) {
  if (!rows.length) return [];
  const head = createElement("tr", "", "", ...columns.map((each) => Object.assign(createElement("th", "", each), { scope: "col" })));
  const cell = (texts) => createElement("td", "", "", ...texts.map((each) => createElement("div", "", each)));
  const body = rows.map((row) => createElement("tr", "", "", ...row.map(cell)));
  const caption = createElement("caption", "", title);
  return [createElement("table", "preview", "", caption, createElement("thead", "", "", head), createElement("tbody", "", "", ...body))];
}

// What is asked about the list is asked before it begins.
async function create(event) {
  event.preventDefault();
  const place = usedPlace();
  const found = await check(place);
  if (!found || found.has_errors) return;
  const { tournament } = desk.state;
  if (found.lines.length && !confirm(asked(found.lines))) return;
  const closes = tournament?.is_open && byId("close").checked ? [tournament.id] : [];
  const [name, date, category] = NAMES.map((each) => byId(each).value.trim());
  const made = await act("t.begin", { ...typed(), name, date, category, closes }, place);
  if (!made) return;
  choose(made.tournament);
  await desk.look();
  clearTimeout(timer);
  reading += 1;
  byId("another").open = false;
  for (const each of [...NAMES, "teams"]) byId(each).value = "";
  byId("report").replaceChildren();
  byId("title").focus();
}
