// A tournament at the desk: the list of teams, the draw, phases, calls, results on paper and their
// corrections. Every decision carries the newest one that the page shows.

import { button, byId, choice, field, showStale, small } from "./controls.js";
import { fetchState } from "./desk_state.js";
import { createElement } from "./element.js";
import { drawList, keepFocus } from "./entries.js";
import {
  act,
  chosen,
  decide,
  desk,
  forgetDrawn,
  may,
  mayDecide,
  ofTournament,
  request,
  say,
} from "./organise_actions.js";
import { byTable, drawFound, inOrder, setUpSearch } from "./organise_find.js";
import { atTable, letGo, matchEntry, resultForm, tableControls } from "./organise_matches.js";
import { drawPaper } from "./organise_paper.js";
import { drawSharing, setUpSharing } from "./organise_share.js";
import { drawPresence, isMeantWithout } from "./organise_presence.js";
import { countEntries, reveal, setUpSections } from "./organise_sections.js";
import { drawStandings, setUpStandings } from "./organise_standings.js";
import { disclosure, drawTeamForms, teamEntry, withPhases } from "./organise_teams.js";
import { changeText, placeOf, refuse, usedPlace } from "./refusal.js";
import { repeat } from "./repeat.js";
import { BEGINS } from "./tournament.js";

const PACE = 2000; // milliseconds between two looks
const MINUTES = [5, 10, 20]; // from agreement to publication

let role = ""; // of what is drawn

// ---- what can be done now

function steps(tournament) {
  const made = [];
  if (!tournament.is_drawn && mayDecide("Draw")) {
    const [seed, label] = field("text", "seed", say("desk.o.number"));
    made.push(label, button("draw", say("desk.o.draw"), () => isMeantWithout() && decide({ do: "Draw", seed: seed.value })));
    if (tournament.commitment) made.push(small(say("desk.o.committed", { digest: tournament.commitment })));
    else made.push(button("commit", say("desk.o.commit"), () => commit(seed.value), "quiet"));
  }
  for (const phase of tournament.phases) {
    if (phase.todo === "drawing") made.push(createElement("p", "", say("desk.o.drawing", { phase: phase.title })));
    const event = { start: "StartPhase", pair: "PairRound", playoff: "PairRound" }[phase.todo];
    const text = event && say(BEGINS[phase.todo], { phase: phase.title });
    if (event && mayDecide(event))
      made.push(button(phase.todo, text, () => isMeantWithout() && decide({ do: event, phase: phase.id })));
    if (phase.takes_back && mayDecide("TakeBack")) made.push(takeBack(phase));
  }
  // A correction may open it again.
  const isOpen = tournament.is_drawn && !tournament.champion;
  if (isOpen && may("t.by_itself")) {
    const on = !tournament.calls_by_itself;
    const text = say(on ? "desk.o.auto_on" : "desk.o.auto_off");
    made.push(button("auto", text, () => act("t.by_itself", { on }), "quiet"));
  }
  if (isOpen && may("t.publish_after")) made.push(publishing(tournament.publish_after));
  if (may("t.priority") && desk.state.tournaments.filter((each) => each.is_open).length > 1)
    made.push(calledFirst(tournament.priority));
  if (may("t.close")) made.push(button("close", say("desk.o.close"), () => close(tournament), "quiet"));
  if (!tournament.is_open && may("t.reopen")) made.push(button("reopen", say("desk.o.reopen"), () => act("t.reopen")));
  return made;
}

const close = (tournament) => confirm(say("desk.o.close.sure", tournament)) && act("t.close");

// Whether its matches are called before those of the other tournaments.
function calledFirst(priority) {
  const choices = [1, 2, 3].map((n) => [n, say(`desk.o.priority.${n}`)]);
  const [select, label] = choice("priority", say("desk.o.priority"), choices, priority);
  select.addEventListener("change", () => act("t.priority", { priority: Number(select.value) }));
  return label;
}

// What the tournament is called.
function namingForm({ name, day, category }) {
  const summary = createElement("summary", "", say("desk.o.naming"));
  summary.dataset.name = "naming";
  const [named, nameLabel] = field("text", "name", say("desk.o.name"), name, { maxLength: 40 });
  const [dated, dateLabel] = field("date", "date", say("desk.o.date"), day);
  const [sorted, categoryLabel] = field("text", "category", say("desk.o.category"), category, { maxLength: 40 });
  const save = () => {
    const [typedName, date, typedCategory] = [named, dated, sorted].map((each) => each.value.trim());
    return decide({ do: "NameTournament", name: typedName, date, category: typedCategory });
  };
  const fields = [nameLabel, dateLabel, categoryLabel, button("rename", say("desk.save"), save)];
  return createElement("details", "", "", summary, createElement("div", "fields", "", ...fields));
}

// ---- which tournament

function tournamentLink({ id, title, date }, shown) {
  const link = createElement("a", "", [title, date].filter(Boolean).join(" · "));
  link.href = ofTournament("/desk/tournament", id);
  link.dataset.name = `tournament ${id}`;
  if (id === shown) link.setAttribute("aria-current", "page");
  return link;
}

// The open ones; those that are closed are behind a summary.
function drawTournaments({ tournament, tournaments }) {
  const place = byId("tournaments");
  const text = JSON.stringify([tournament?.id, tournaments.map(({ id, title, date, is_open }) => [id, title, date, is_open])]);
  place.hidden = tournaments.length < 2 && Boolean(tournament?.is_open ?? !tournaments.length);
  if (desk.drawn.get("tournaments") === text) return;
  desk.drawn.set("tournaments", text);
  const links = (isOpen) =>
    tournaments.filter((each) => each.is_open === isOpen).map((each) => tournamentLink(each, tournament?.id));
  const closed = links(false);
  const summary = createElement("summary", "", say("desk.o.archive"));
  summary.dataset.name = "archive";
  const archive = createElement("details", "", "", summary, createElement("div", "", "", ...closed));
  archive.open = place.querySelector("details")?.open || tournament?.is_open === false;
  place.replaceChildren(...links(true), ...(closed.length ? [archive] : []));
}

function takeBack({ id, title, takes_back, paired }) {
  const text = say(`desk.o.undo.${takes_back}`, { phase: title, n: paired });
  const sure = `${text}?\n\n${say("desk.o.undo.sure")}`;
  return button(`undo${id}`, text, () => confirm(sure) && decide({ do: "TakeBack", phase: id }), "quiet");
}

// The digest that binds the desk to a number that it has not shown yet.
async function commit(seed) {
  const place = usedPlace();
  if (!seed) {
    refuse(place, say("desk.error.t.not_drawn"), "seed");
    return;
  }
  if (!confirm(say("desk.o.commit.sure", { seed }))) return;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`commitment\n${seed}`));
  const digest = [...new Uint8Array(bytes)].map((each) => each.toString(16).padStart(2, "0")).join("");
  await decide({ do: "Commit", digest }, place);
}

// When agreed results are published: minutes after the agreement, or null: with their round.
function publishing(after) {
  const choices = [[0, say("desk.o.publish.now")], [null, say("desk.o.publish.round")]];
  const minutes = new Set([...MINUTES, ...(after ? [after] : [])]);
  for (const n of minutes) choices.push([n, say("desk.o.publish.minutes", { n })]);
  const [select, label] = choice("publish", say("desk.o.publish"), choices, after);
  select.addEventListener("change", () => act("t.publish_after", { minutes: choices[select.selectedIndex][0] }));
  return label;
}

// ---- televisions

const VIEWS = [
  ["all", "desk.o.show.all"],
  ["where", "hub.where"],
  ["standings", "hub.standings"],
  ["bracket", "desk.bracket"],
  ["scores", "hub.scores"],
];

function options(id, values) {
  const kept = byId(id).value;
  const made = values.map(([value, text]) => Object.assign(createElement("option", "", text), { value }));
  byId(id).replaceChildren(...made);
  if (values.some(([value]) => String(value) === kept)) byId(id).value = kept;
}

async function choose(event) {
  event.preventDefault();
  const [code, view, phase] = ["code", "show", "phase"].map((id) => byId(id).value.trim());
  const checked = [...byId("shown-list").querySelectorAll(":checked")].map((each) => Number(each.value));
  const tournaments = checked.length ? checked : phase ? [desk.state.tournament.id] : [];
  if (await act("t.screen", { screen: code.toUpperCase(), show: view, phase, tournaments })) byId("code").value = "";
}

function screenEntry([code, { show: view, phase, tournaments = [] }]) {
  const { tournament, tournaments: all } = desk.state;
  const isOwn = !tournaments.length || tournaments.includes(tournament.id);
  const title = isOwn && tournament.phases.find((each) => each.id === phase);
  const named = all.filter(({ id }) => tournaments.includes(id)).map((each) => each.title);
  const text = createElement("p", "", say("hub.screen", { code }));
  text.append(small(say(VIEWS.find(([id]) => id === view)[1]), title && title.title, named.join(", ")));
  return createElement("div", "entry", "", text);
}

// ---- results, all or those of a phase and a team

let results = { asked: "", found: [] };

async function fetchResults({ id, seq, official }) {
  const [phase, team] = [byId("of-phase").value, Number(byId("of-team").value)];
  const asked = phase || team ? JSON.stringify([id, seq, phase, team]) : "";
  if (!asked) results = { asked, found: official };
  if (asked === results.asked) return;
  const answer = await request("t.results", { phase, team });
  if (answer.ok) results = { asked, found: (await answer.json()).results };
}

function drawResults({ official, phases, teams }) {
  const begun = phases.filter((phase) => phase.is_begun).map(({ id, title }) => [id, title]);
  const names = teams.map(({ id, name }) => [id, name]);
  const text = JSON.stringify([begun, names]);
  if (desk.drawn.get("results") !== text) {
    options("of-phase", [["", say("desk.o.phases.all")], ...begun]);
    options("of-team", [[0, say("desk.o.teams.all")], ...names]);
  }
  desk.drawn.set("results", text);
  list("official", results.found, (match) => matchEntry(match, ...resultForm(match)));
  byId("official").parentElement.hidden = !official.length;
}

function drawScreens({ phases, screens }) {
  const open = desk.state.tournaments.filter((each) => each.is_open);
  const text = JSON.stringify([phases.map(({ id, title }) => [id, title]), screens, open.map(({ id, title }) => [id, title])]);
  if (desk.drawn.get("screens") === text) return;
  byId("shown").hidden = open.length < 2;
  byId("shown-list").replaceChildren(
    ...open.map(({ id, title }) => {
      const box = Object.assign(createElement("input", "", ""), { type: "checkbox", value: id });
      return createElement("label", "check", "", box, createElement("span", "", title));
    })
  );
  desk.drawn.set("screens", text);
  options("show", VIEWS.map(([id, key]) => [id, say(key)]));
  options("phase", [["", say("desk.o.phase.all")], ...phases.map(({ id, title }) => [id, title])]);
  byId("screens").replaceChildren(...Object.entries(screens).map(screenEntry));
}

// ---- drawing

const keyOf = (item) => (item.match || item).id;

function list(id, items, drawEntry, controlsOf) {
  drawList(byId(id), items, { keyOf, draw: drawEntry, controlsOf, lose });
  byId(id).parentElement.hidden = !items.length;
}

// A form went with its match while it was filled in: another desk or the tables were first.
function lose(entry) {
  const at = placeOf(entry);
  const match = desk.state.tournament.official.find(({ id }) => id === at.key);
  const { decision: change, outcome: text } = match || {};
  lost.push([at, change ? changeText(say, { ...change, text }, desk.state) : say("desk.error.t.changed")]);
}

const lost = []; // places and texts

// Links to the lists that have entries: those of many teams fill many screens.
function drawParts() {
  const titles = [...document.querySelectorAll("main > section:not([hidden]) > h2")];
  const text = titles.map(({ id }) => id).join();
  if (desk.drawn.get("parts") === text) return;
  desk.drawn.set("parts", text);
  byId("parts").replaceChildren(
    ...titles.map(({ id, textContent }) => {
      const link = Object.assign(createElement("a", "", textContent), { href: `#${id}` });
      link.dataset.name = id;
      return link;
    })
  );
}

// The list of a first tournament is open; another one is behind a summary.
function drawAnother(tournament) {
  const another = byId("another");
  const isFirst = !tournament;
  another.hidden = !may("t.begin");
  byId("another-label").hidden = isFirst;
  drawCloses(tournament);
  if (another.dataset.first !== String(isFirst)) another.open = isFirst;
  another.dataset.first = isFirst;
}

// The tournament of the page may be closed with the new one: as a rule, if it is over.
function drawCloses(tournament) {
  byId("closes").hidden = !tournament?.is_open;
  if (!tournament || byId("closes").dataset.id === String(tournament.id)) return;
  byId("closes").dataset.id = tournament.id;
  byId("close").checked = Boolean(tournament.champion);
  byId("closes-label").textContent = say("desk.o.closes", tournament);
}

const FORMS = ["./organise_begin.js", "./organise_import.js", "./organise_list.js"];
let forms = null;

// The forms of another tournament are loaded when they are opened.
function setUpAnother() {
  if (byId("another").open && !forms)
    forms = Promise.all(FORMS.map((each) => import(each))).then(
      ([{ setUpForm }, { setUpImport }, { setUpList }]) => {
        setUpImport();
        setUpList();
        return setUpForm();
      },
      () => {
        forms = null;
        showStale(true);
      }
    );
  return forms;
}

// Changes of rounds by hand; their forms are loaded when they are opened.
function drawWays({ phases, teams }) {
  const open = phases.filter((phase) => phase.kind === "rounds" && phase.is_begun && !phase.is_over);
  const shown = mayDecide("EndPhase") ? open : [];
  const text = JSON.stringify([shown, teams.map(({ id, name }) => [id, name])]);
  if (desk.drawn.get("ways") === text) return;
  const place = byId("ways");
  const wasOpen = place.querySelector("details[open]");
  // After a result what was typed stays, after a decision here it does not.
  const typed = desk.drawn.has("ways") ? [...place.querySelectorAll("input, select")] : [];
  desk.drawn.set("ways", text);
  const formsOf = (phase) => {
    const made = createElement("div", "fields", "");
    import("./organise_ways.js").then(({ wayRows }) => {
      made.append(...wayRows(phase));
      for (const { dataset, value } of typed) {
        const again = made.querySelector(`[data-name="${dataset.name}"]`);
        if (again && (!again.options || [...again.options].some((each) => each.value === value))) again.value = value;
      }
    });
    return [made];
  };
  place.replaceChildren(
    ...shown.map((phase) => disclosure("ways", say("desk.o.ways", { phase: phase.title }), "", () => formsOf(phase)))
  );
  if (!wasOpen || !shown.length) return;
  place.firstChild.open = true;
  place.firstChild.fill();
}

const FORGET = "./organise_forget.js";
let forgetting = null;

// The form that forgets a person; it is loaded when it is opened.
const loadForget = () => {
  forgetting = forgetting || import(FORGET);
  return forgetting;
};

// Lists the names of a team of the page.
async function forgetTeam({ detail: team }) {
  byId("forget").open = true;
  (await loadForget()).findTeam(team);
}

async function findPerson(event) {
  event.preventDefault();
  (await loadForget()).findPerson();
}

function draw() {
  const { tournament } = desk.state;
  const named = tournament ? [tournament.title, tournament.date] : [say("desk.organise")];
  byId("title").textContent = [desk.state.hall, ...named].filter(Boolean).join(" · ");
  document.title = byId("title").textContent;
  drawTournaments(desk.state);
  byId("closed").hidden = !tournament || tournament.is_open;
  drawAnother(tournament);
  byId("forget").hidden = !desk.state.may.includes("names.find");
  drawFound();
  byId("now").hidden = !tournament;
  byId("screen").parentElement.hidden = !tournament;
  if (!tournament) return;
  if (role !== desk.state.role) forgetDrawn();
  role = desk.state.role;
  const { is_drawn, commitment, calls_by_itself, publish_after, phases, champion } = tournament;
  const todo = phases.map((each) => [each.todo, each.takes_back, each.paired]);
  const { id, is_open, priority, name, day, category } = tournament;
  const others = desk.state.tournaments.filter((each) => each.is_open).length;
  const settings = [id, is_open, others, priority, calls_by_itself, publish_after];
  const text = JSON.stringify([is_drawn, commitment, todo, champion, settings]);
  if (desk.drawn.get("steps") !== text) byId("steps").replaceChildren(...steps(tournament));
  desk.drawn.set("steps", text);
  const names = JSON.stringify([id, is_open, name, day, category]);
  if (desk.drawn.get("naming") !== names)
    byId("naming").replaceChildren(...(mayDecide("NameTournament") ? [namingForm(tournament)] : []));
  desk.drawn.set("naming", names);
  const clocks = phases.flatMap(({ title, clock }) => (clock ? [`${title} · ${clock.text}: ${clock.clock}`] : []));
  const rounds = clocks.join("; ");
  if (byId("clocks").textContent !== rounds) byId("clocks").textContent = rounds;
  byId("champion").textContent = champion && `${say("hub.champion")}: ${champion}`;
  drawPresence(tournament);
  drawWays(tournament);
  const parts = ["steps", "presence", "naming"];
  byId("now").hidden = !champion && parts.every((each) => !byId(each).children.length);
  const boxes = desk.state.boxes.map((box) => [box.device, box.table]);
  const withTables = (item) => [item, tournament.free, boxes];
  list("tables", byTable(tournament.tables.filter(({ match }) => !match.result)), atTable, withTables);
  const waiting = (match) =>
    matchEntry(
      match,
      createElement("div", "buttons", "", ...tableControls(match, "desk.o.call"), ...letGo(match)),
      ...resultForm(match)
    );
  list("queue", tournament.queue, waiting, withTables);
  const missing = new Set(tournament.teams.flatMap((team) => (team.is_missing ? [team.id] : [])));
  list("missing", tournament.missing, (match) => {
    const absent = match.sides.filter((side) => missing.has(side.team)).map((side) => side.text);
    const lacking = small(`${say("desk.o.is_missing")}: ${absent.join(", ")}`);
    return matchEntry(match, lacking, ...resultForm(match));
  });
  drawResults(tournament);
  drawTeamForms(tournament);
  list("entered", inOrder(tournament.teams.map(withPhases)), teamEntry);
  drawScreens(tournament);
  drawSharing(tournament);
  drawPaper(tournament);
  drawStandings(tournament);
  countEntries();
  drawParts();
}

// A link of the desk names a list, or an entry: its form is opened and has the focus.
function showLinked() {
  const id = decodeURIComponent(location.hash.slice(1));
  const entry = id && (document.querySelector(`[data-key="${CSS.escape(id)}"]`) || byId(id));
  if (entry) reveal(entry);
  if (entry && entry.matches("h2")) entry.focus();
  const control = entry && entry.querySelector("[data-name=result], input");
  if (!control) return;
  if (control.matches("summary")) control.parentElement.open = true;
  control.focus();
}

async function look() {
  const { answer, state } = await fetchState(chosen ? `&t=${encodeURIComponent(chosen)}` : "");
  showStale(!answer);
  if (!answer) return;
  if (answer.status === 401) location.replace(`/desk${location.search}`);
  if (!answer.ok) return;
  desk.state = state;
  if (desk.state.tournament) await fetchResults(desk.state.tournament);
  keepFocus(draw);
  for (const each of lost.splice(0)) refuse(...each);
}

byId("stale").textContent = say("hub.offline");
byId("back").textContent = say("desk.desk");
byId("now-title").textContent = say("desk.o.now");
byId("tables-title").textContent = say("desk.o.tables");
byId("queue-title").textContent = say("desk.o.queue");
byId("missing-title").textContent = say("desk.o.missing");
byId("official-title").textContent = say("desk.o.official");
byId("standings-title").textContent = say("hub.standings");
byId("bracket-title").textContent = say("desk.bracket");
byId("entered-title").textContent = say("desk.o.entered");
byId("screens-title").textContent = say("desk.o.screens");
byId("share-title").textContent = say("hub.share");
byId("paper-title").textContent = say("desk.o.paper");
byId("another-label").textContent = say("desk.o.another");
byId("forget-label").textContent = say("desk.forget");
byId("person-label").textContent = say("desk.forget.name");
byId("person-about").textContent = say("desk.forget.about");
byId("find-person").textContent = say("desk.forget.find");
byId("forget").addEventListener("toggle", loadForget);
byId("forgetting").addEventListener("submit", findPerson);
document.addEventListener("forget", forgetTeam);
byId("code-label").textContent = say("desk.o.screen");
byId("of-phase-label").textContent = say("desk.o.phase");
byId("of-team-label").textContent = say("hub.team");
for (const each of ["of-phase", "of-team"]) byId(each).addEventListener("change", () => look());
byId("closed").textContent = say("desk.o.closed");
byId("tournaments").setAttribute("aria-label", say("desk.o.tournaments"));
byId("shown-label").textContent = say("desk.o.tournaments");
byId("show-label").textContent = say("desk.o.show");
byId("phase-label").textContent = say("desk.o.phase");
byId("choose").textContent = say("desk.save");
byId("screen").addEventListener("submit", choose);
desk.look = look;
document.addEventListener("reveal", ({ target }) => reveal(target));
setUpSections();
setUpSearch(() => keepFocus(draw));
setUpStandings();
setUpSharing();
byId("another").addEventListener("toggle", setUpAnother);
// Until the hub has answered once there is nothing to set up.
while (!desk.state) {
  await look();
  if (!desk.state) await new Promise((resolve) => setTimeout(resolve, PACE));
}
await setUpAnother();
showLinked();
document.documentElement.dataset.ready = "yes";
repeat(() => (document.hidden ? Promise.resolve() : look()), PACE);
