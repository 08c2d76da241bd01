// The search of the tournament page, and the order of its lists.

import { byId, small } from "./controls.js";
import { createElement } from "./element.js";
import { desk, say } from "./organise_actions.js";
import { reveal } from "./organise_sections.js";
import { findAll, wordsFound, wordsOf } from "./search.js";
import { sidesText } from "./tournament.js";

const MOST = 12; // lines of what is found
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

const byName = (one, other) => collator.compare(one.name, other.name) || one.id - other.id;

// ---- orders

// Matches at tables, by the number of the table.
export const byTable = (tables) => [...tables].sort((one, other) => one.match.table - other.match.table);

// Teams as the select above them says.
export function inOrder(teams) {
  const order = byId("order").value;
  const tables = new Map(desk.state.tournament.tables.flatMap(({ match }) =>
    match.result ? [] : match.sides.map(({ team }) => [team, match.table])
  ));
  const table = ({ id }) => tables.get(id) || Number.MAX_SAFE_INTEGER;
  const compare = {
    name: byName,
    table: (one, other) => table(one) - table(other) || byName(one, other),
    number: (one, other) => one.id - other.id,
  }[order];
  return [...teams].sort(compare);
}

// ---- the search

// Opens the section of an entry, and moves there.
function goTo(key) {
  const entry = document.querySelector(`main [data-key="${CSS.escape(key)}"]`);
  if (!entry) return;
  byId("q").value = "";
  drawFound();
  reveal(entry);
  entry.scrollIntoView({ block: "center" });
  (entry.querySelector("button, summary, a") || entry).focus({ preventScroll: true });
}

function link(name, text, key) {
  const made = createElement("button", "link", text);
  made.type = "button";
  made.dataset.name = name;
  made.addEventListener("click", () => goTo(key));
  return made;
}

// The match that a team plays or waits for, or null.
function matchOf(team, { tables, queue, missing }) {
  const open = [...tables.filter(({ match }) => !match.result).map(({ match }) => match), ...queue, ...missing];
  return open.find((match) => match.sides.some((side) => side.team === team)) || null;
}

function line(key, ...inside) {
  const made = createElement("li", "", "", ...inside);
  made.dataset.key = key;
  return made;
}

function teamLine(team, tournament) {
  const match = matchOf(team.id, tournament);
  const about = small(`#${team.id}`, team.club);
  const others = match && match.sides.filter((side) => side.team !== team.id);
  const against = match && say("hub.against", { name: others.map(({ text }) => text).join() });
  const place = match && link("match", `${match.place} · ${against}`, match.id);
  return line(`found ${team.id}`, link("team", team.name, String(team.id)), about, place);
}

const tableLine = ({ match }) =>
  line(`found ${match.id}`, link("match", `${say("hub.table", { n: match.table })} · ${sidesText(match)}`, match.id));

// What is found: tables by their number, then teams, first those whose name begins like this.
function found(query, tournament) {
  const wanted = wordsOf(query);
  if (!wanted.length) return [];
  const rank = ({ name }) => (wordsOf(name).join(" ").startsWith(wanted.join(" ")) ? 0 : 1);
  const texts = tournament.teams.map((team) => {
    const words = wordsFound([team.name, team.club, ...team.players, ...team.reserves].join(" "));
    return { team, words, number: team.id };
  });
  const tables = tournament.tables.filter(({ match }) => !match.result && wanted.join() === String(match.table));
  const teams = findAll(wanted, texts).map(({ team }) => team);
  teams.sort((one, other) => rank(one) - rank(other) || byName(one, other));
  return [...tables.map((each) => () => tableLine(each)), ...teams.map((each) => () => teamLine(each, tournament))];
}

export function drawFound() {
  const { tournament } = desk.state;
  byId("search").hidden = !tournament;
  if (!tournament) return;
  const query = byId("q").value;
  const lines = found(query, tournament);
  const made = lines.slice(0, MOST).map((make) => make());
  const more = lines.length - made.length;
  if (more) made.push(createElement("li", "soft", say("desk.o.search.more", { n: more })));
  if (wordsOf(query).length && !lines.length) made.push(createElement("li", "soft", say("desk.o.search.none")));
  const text = made.map(({ outerHTML }) => outerHTML).join("");
  if (byId("hits").dataset.text === text) return;
  byId("hits").dataset.text = text;
  byId("hits").replaceChildren(...made);
}

export function setUpSearch(redraw) {
  const [input, order] = [byId("q"), byId("order")];
  input.placeholder = say("desk.o.search");
  input.setAttribute("aria-label", input.placeholder);
  input.addEventListener("input", drawFound);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("hits").querySelector("button")?.click();
  });
  byId("order-label").textContent = say("desk.o.order");
  const orders = ["name", "table", "number"].map((each) => new Option(say(`desk.o.order.${each}`), each));
  order.replaceChildren(...orders);
  order.addEventListener("change", redraw);
}
