// The form of a new tournament: format, rules, teams.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { act, choose, desk, say } from "./organise_actions.js";
import { usedPlace } from "./refusal.js";
import { asked } from "./organise_teams.js";
import { request } from "./request.js";
import { drawRules } from "./rules_form.js";
import { inLanguage } from "./tournament.js";

const NAMES = ["name", "date", "category"];

let offer = { formats: [], variants: [] };
let changes = () => ({});

export async function setUpForm() {
  byId("format-label").textContent = say("desk.o.format");
  for (const each of NAMES) byId(`${each}-label`).textContent = say(`desk.o.${each}`);
  byId("teams-label").textContent = say("desk.o.teams");
  byId("rules-title").textContent = say("desk.o.rules");
  byId("check").textContent = say("desk.o.check");
  byId("create").textContent = say("desk.o.begin");
  byId("check").addEventListener("click", () => check(usedPlace()));
  byId("begin").addEventListener("submit", create);
  byId("format").addEventListener("change", chooseFormat);
  const answer = await request(inLanguage("/desk/formats")).catch(() => null);
  if (!answer || !answer.ok) return;
  offer = answer.json();
  byId("format").replaceChildren(...offer.formats.map(({ id, title }) => new Option(title, id)));
  chooseFormat();
}

function chooseFormat() {
  const format = offer.formats.find(({ id }) => id === byId("format").value);
  byId("columns").textContent = say("desk.o.columns", format);
  changes = drawRules(say, byId("rules"), format, offer.variants);
}

const typed = () => ({ format: byId("format").value, teams: byId("teams").value, changes: changes() });

async function check(place) {
  if (!byId("begin").reportValidity()) return null;
  const found = await act("t.check", typed(), place);
  if (!found) return null;
  const sum = say("desk.o.sum", { n: found.teams, m: found.matches });
  const lines = [found.heading, ...found.lines, found.matches && sum].filter(Boolean);
  byId("report").replaceChildren(...lines.map((each) => createElement("p", "", each)));
  byId("report").scrollIntoView({ block: "nearest" });
  return found;
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
  byId("another").open = false;
  for (const each of [...NAMES, "teams"]) byId(each).value = "";
  byId("report").replaceChildren();
  byId("title").focus();
}
