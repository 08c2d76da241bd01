// The teams of the tournament page: entries, changes, absences, pairs that are not to meet.

import { button, byId, choice, field, small } from "./controls.js";
import { createElement } from "./element.js";
import { act, decide, desk, may, mayDecide, say } from "./organise_actions.js";
import { usedPlace } from "./refusal.js";

// A disclosure whose fields are made when it is opened first.
export function disclosure(name, text, about, fields) {
  const summary = createElement("summary", "", text);
  summary.dataset.name = name;
  if (about) summary.setAttribute("aria-label", `${text}: ${about}`);
  const details = createElement("details", "", "", summary);
  details.fill = () => {
    if (details.open && details.children.length < 2) details.append(createElement("div", "fields", "", ...fields()));
  };
  details.addEventListener("toggle", details.fill);
  return details;
}

// A field for each of the people of a team, of whom the format has `most`.
function peopleFields(kind, key, most, names = []) {
  return Array.from({ length: Math.max(most, names.length) }, (_, at) => {
    const name = at ? `${kind} ${at + 1}` : kind;
    return field("text", name, most > 1 ? `${say(key)} ${at + 1}` : say(key), names[at] || "", { maxLength: 40 });
  });
}

// What is known of a team: the labels of its fields, and a function that reads them.
function teamFields(team) {
  const { phases, players: each, reserves: most } = desk.state.tournament;
  const [name, nameLabel] = field("text", "team", say("hub.team"), team.name);
  const players = peopleFields("players", "desk.o.player", each, team.players);
  const reserves = peopleFields("reserves", "desk.o.reserve", most, team.reserves);
  const [club, clubLabel] = field("text", "club", say("desk.o.club"), team.club);
  const [seed, seedLabel] = field("number", "order", say("desk.o.seed"), team.seed || 0);
  name.maxLength = club.maxLength = 40;
  const consents = Object.assign(createElement("input", "", ""), { type: "checkbox", checked: team.consents });
  consents.dataset.name = "consents";
  const consentsLabel = createElement("label", "check", "", consents, createElement("span", "", say("desk.o.consents")));
  // Once a phase has begun, seeds stay.
  const hasBegun = phases.some((phase) => phase.is_begun);
  const people = [...players, ...reserves].map(([, label]) => label);
  const labels = [nameLabel, ...people, clubLabel, !hasBegun && seedLabel, consentsLabel];
  const named = (fields) => fields.map(([input]) => input.value.trim()).filter(Boolean);
  const read = () => ({
    name: name.value.trim(),
    players: named(players),
    reserves: named(reserves),
    club: club.value.trim(),
    seed: hasBegun ? team.seed || 0 : Number(seed.value),
    consents: consents.checked,
  });
  return [labels.filter(Boolean), read];
}

// What a list asks about names is asked here, too. Returns the name as a list takes it, or null; `id`: of
// a team that is changed.
async function meantName({ name, players, reserves, club }, place, id = 0) {
  const { players: each, reserves: most } = desk.state.tournament;
  const filled = (names, length) => Array.from({ length }, (_, at) => names[at] || "");
  const line = [name, ...filled(players, each), ...filled(reserves, most), club, ""].join("\t");
  const found = await act("t.check", { format: "", teams: line, team: id }, place);
  if (!found || (!found.has_errors && found.lines.length && !confirm(asked(found.lines)))) return null;
  return found.names[0] || name;
}

async function enter(team) {
  const place = usedPlace();
  const name = await meantName(team, place);
  if (name !== null) await decide({ do: "Enter", ...team, name }, place);
}

async function change(known, team) {
  const place = usedPlace();
  const texts = (each) => JSON.stringify([each.name, each.players, each.reserves]);
  const name = texts(known) === texts(team) ? team.name : await meantName(team, place, known.id);
  if (name !== null) await decide({ do: "ChangeTeam", team: known.id, ...team, name }, place);
}

const MOST_ASKED = 8; // lines: browsers cut longer questions

export function asked(lines) {
  const rest = lines.length - MOST_ASKED;
  const shown = rest > 1 ? [...lines.slice(0, MOST_ASKED), say("desk.o.more_lines", { n: rest })] : lines;
  return [...shown, "", say("desk.o.list_sure")].join("\n");
}

function enterFields() {
  const [labels, read] = teamFields({});
  return [...labels, button("enter", say("desk.o.enter"), () => enter(read()))];
}

function changeFields(team) {
  const [labels, read] = teamFields(team);
  const blank = () => confirm(say("desk.o.blank.sure", team)) && decide({ do: "BlankName", team: team.id });
  const made = mayDecide("ChangeTeam") ? [...labels, button("change", say("desk.save"), () => change(team, read()))] : [];
  if (mayDecide("AnswerNames") && typeof team.is_of_people === "boolean" && !team.players.length && !team.consents) {
    const answer = team.is_of_people ? { people: [], others: [team.id] } : { people: [team.id], others: [] };
    const word = say(team.is_of_people ? "desk.o.judging.other" : "desk.o.judging.people");
    made.push(button("judge", word, () => decide({ do: "AnswerNames", ...answer }), "quiet"));
  }
  if (mayDecide("FixTable")) {
    const [table, label] = field("number", "table", say("desk.o.fixed_table"), team.table, { min: 0, max: 999 });
    const fix = () => decide({ do: "FixTable", team: team.id, table: Number(table.value) });
    made.push(createElement("div", "fields", "", label, button("fix", say("desk.o.fix_table"), fix, "quiet")));
  }
  if (mayDecide("BlankName")) made.push(button("blank", say("desk.o.blank"), blank, "quiet"));
  if (desk.state.may.includes("names.find")) {
    const forgetTeam = () => document.dispatchEvent(new CustomEvent("forget", { detail: team.id }));
    made.push(button("forget", say("desk.forget.team"), forgetTeam, "quiet"));
  }
  return made;
}

function withdrawFields({ id, name, is_withdrawn }) {
  if (is_withdrawn) return [button("withdraw", say("desk.o.return"), () => decide({ do: "Return", team: id }), "quiet")];
  const [reason, label] = field("text", "reason", say("desk.o.reason"));
  const ways = [[null, "format"], [true, "annul"], [false, "walkover"]];
  const words = ways.map(([value, key]) => [value, say(`desk.o.leaving.${key}`)]);
  const [way, wayLabel] = choice("leaving", say("desk.o.leaving"), words, null);
  // Only the matches of zones can be annulled, until the phase after them begins.
  const [last] = desk.state.tournament.phases.filter((phase) => phase.is_begun).slice(-1);
  // The page lists what follows before it asks.
  const withdraw = async () => {
    const place = usedPlace();
    const found = await act("t.leaving", { team: id, annuls: ways[way.selectedIndex][0] }, place);
    if (!found || !confirm([say("desk.o.leaving.sure", { name }), "", ...found.lines].join("\n"))) return;
    await decide({ do: "Withdraw", team: id, reason: reason.value, annuls: found.annuls }, place);
  };
  return [label, ...(last?.kind === "zones" ? [wayLabel] : []), button("withdraw", say("desk.o.withdraw"), withdraw, "quiet")];
}

// A team with the phases whose next round it can or will miss, or that it can enter again.
export function withPhases(team) {
  const { phases } = desk.state.tournament;
  const of = (key) => phases.filter((phase) => phase[key].includes(team.id));
  return { ...team, misses: of("may_miss"), absent: of("absent"), again: of("may_enter_again") };
}

export function teamEntry(team) {
  const people = [...team.players, ...team.reserves];
  const row = people.join(people.some((name) => name.includes(",")) ? "; " : ", ");
  const text = createElement("p", team.is_withdrawn ? "gone" : "", team.name);
  const of = (key, { next_round: n, title: phase }) => say(key, { n, phase });
  const absent = team.absent.map((phase) => of("desk.o.misses", phase));
  // Of a name that is asked about below, the answer decides.
  const isNumber = team.public_name !== team.name && desk.state.tournament.unjudged.every((each) => each.team !== team.id);
  const inPublic = isNumber && say("desk.o.as_number", { name: team.public_name });
  const at = team.table && say("desk.o.table_of", { n: team.table });
  text.append(small(`#${team.id}`, row, team.club, at, team.consents ? say("desk.o.consented") : inPublic));
  const marks = [team.is_withdrawn && goneText(team.withdrawal), team.is_missing && say("desk.o.is_missing"), ...absent];
  if (marks.some(Boolean)) text.append(createElement("strong", "mark", marks.filter(Boolean).join(" · ")));
  const controls = [];
  const add = (name, label, event) => {
    const made = button(name, label, () => decide({ ...event, team: team.id }), "quiet");
    made.setAttribute("aria-label", `${label}: ${team.name}`);
    controls.push(made);
  };
  const mark = team.is_missing ? "MarkPresent" : "MarkMissing";
  if (!team.is_withdrawn && mayDecide(mark))
    add("presence", say(team.is_missing ? "desk.o.mark_present" : "desk.o.mark_missing"), { do: mark });
  const round = ({ id, next_round }) => ({ phase: id, round: next_round });
  if (mayDecide("MissRound")) {
    for (const phase of team.misses) add("miss", of("desk.o.miss", phase), { do: "MissRound", ...round(phase) });
    for (const phase of team.absent) add("attend", of("desk.o.attend", phase), { do: "AttendRound", ...round(phase) });
  }
  if (mayDecide("EnterAgain"))
    for (const { id, title } of team.again)
      add("again", say("desk.o.again", { phase: title }), { do: "EnterAgain", phase: id });
  if (mayDecide("ChangeTeam") || mayDecide("BlankName") || mayDecide("AnswerNames"))
    controls.push(disclosure("edit", say("desk.o.change"), team.name, () => changeFields(team)));
  const word = say(team.is_withdrawn ? "desk.o.return" : "desk.o.withdraw");
  if (mayDecide("Withdraw")) controls.push(disclosure("leave", word, team.name, () => withdrawFields(team)));
  return createElement("div", "entry", "", text, ...controls);
}

// Of a team that has left: why.
function goneText(withdrawal) {
  const gone = say("desk.o.gone");
  return withdrawal?.reason ? `${gone}: ${withdrawal.reason}` : gone;
}

// Two teams that are not paired in rounds.
function forbidFields() {
  const { teams, forbidden } = desk.state.tournament;
  const names = new Map(teams.map((team) => [team.id, team.name]));
  const present = teams.filter((team) => !team.is_withdrawn).map((team) => [team.id, team.name]);
  const [one, oneLabel] = choice("one", say("hub.team"), present);
  const [other, otherLabel] = choice("other", say("hub.team"), present);
  const forbid = () => decide({ do: "Forbid", one: Number(one.value), other: Number(other.value) });
  const listed = forbidden.map((pair) => {
    const text = pair.map((team) => names.get(team)).join(" – ");
    const [first, second] = pair;
    const allow = button("allow", say("desk.o.allow"), () => decide({ do: "Allow", one: first, other: second }), "quiet");
    allow.setAttribute("aria-label", `${allow.textContent}: ${text}`);
    return createElement("div", "entry", "", createElement("p", "", text), allow);
  });
  return [oneLabel, otherLabel, button("forbid", say("desk.save"), forbid), ...listed];
}

// What concerns all teams; what is open is open again after a decision.
export function drawTeamForms({ can_enter, no_entry, forbidden, teams, phases }) {
  const hasBegun = phases.some((phase) => phase.is_begun);
  const names = teams.map((team) => [team.id, team.name, team.is_withdrawn]);
  const hasRounds = phases.some((phase) => phase.kind === "rounds");
  drawForm("entering", say("desk.o.entering"), can_enter && mayDecide("Enter"), hasBegun, enterFields);
  drawConsent(teams);
  drawJudging();
  byId("no-entry").textContent = no_entry && say(`desk.o.no_entry.${no_entry}`);
  drawForm("apart", say("desk.o.apart"), hasRounds && mayDecide("Forbid"), [forbidden, names], forbidFields);
}

// Whether all agree to be named is asked once, as in the conditions of the entry.
function drawConsent(teams) {
  const lacking = teams.filter((team) => !team.consents && team.name !== `#${team.id}`).length;
  const isShown = lacking > 0 && may("t.consent");
  const text = JSON.stringify([isShown, lacking]);
  if (desk.drawn.get("consent") === text) return;
  desk.drawn.set("consent", text);
  const consent = () => confirm(say("desk.o.consent_all.sure", { n: lacking })) && act("t.consent");
  byId("consent").replaceChildren(...(isShown ? [button("consent", say("desk.o.consent_all"), consent, "quiet")] : []));
}

// Which names are names of people is asked once, with what a rule proposes; nothing is published before.
function drawJudging() {
  const { unjudged, teams } = desk.state.tournament;
  const shown = mayDecide("AnswerNames") ? unjudged : [];
  const named = new Map(teams.map((team) => [team.id, team.name]));
  const text = JSON.stringify(shown.map(({ team }) => [team, named.get(team)]));
  if (desk.drawn.get("judging") === text) return;
  desk.drawn.set("judging", text);
  byId("judging").replaceChildren(...(shown.length ? [judgingForm(shown, named)] : []));
}

function judgingForm(listed, named) {
  const boxes = listed.map(({ team, is_proposed: checked }) => {
    const box = Object.assign(createElement("input", "", ""), { type: "checkbox", value: team, checked });
    box.dataset.name = `people ${team}`;
    return box;
  });
  const labels = boxes.map((box) =>
    createElement("label", "check", "", box, createElement("span", "", named.get(Number(box.value))))
  );
  const idsOf = (isPerson) => boxes.flatMap((box) => (box.checked === isPerson ? [Number(box.value)] : []));
  const answer = () => decide({ do: "AnswerNames", people: idsOf(true), others: idsOf(false) });
  const legend = createElement("legend", "", say("desk.o.judging"));
  const save = button("judged", say("desk.o.judging.save"), answer);
  return createElement("fieldset", "entry alarm judging", "", legend, small(say("desk.o.judging.what")), ...labels, save);
}

function drawForm(name, title, isShown, depends, fields) {
  const text = JSON.stringify([isShown, depends]);
  if (desk.drawn.get(name) === text) return;
  desk.drawn.set(name, text);
  const place = byId(name);
  const wasOpen = place.firstChild?.open;
  place.replaceChildren(...(isShown ? [disclosure(name, title, "", fields)] : []));
  if (!wasOpen || !isShown) return;
  place.firstChild.open = true;
  place.firstChild.fill();
}
