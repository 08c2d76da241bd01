// The page of a team for phones: where it plays, its results, its zone.

import {
  endingText,
  follow,
  legend,
  matchText,
  scoresOf,
  sideText,
  standingsTable,
  whyTexts,
} from "./tournament.js";
import { element, fetchWords } from "./words.js";

const PACE = 5000; // milliseconds between two looks

const say = await fetchWords("/tournament/words");
const byId = (id) => document.getElementById(id);
const team = location.pathname.split("/").pop();

const other = (match, own) => match.sides[match.sides[0].team === own ? 1 : 0];

function drawNext(match, own, champion) {
  const over = champion && `${say("hub.champion")}: ${champion}`;
  if (!match) return [element("p", "none", over || say("hub.team.none"))];
  const where = match.table ? say("hub.table", { n: match.table }) : say(`hub.state.${match.state}`);
  const state = match.table && say(`hub.state.${match.state}`);
  const at = match.sides[0].team === own ? 0 : 1;
  const scores = scoresOf(match);
  const score = scores[0] && `${scores[at]} – ${scores[1 - at]}`;
  return [
    element("p", "table", where),
    element("p", "", say("hub.against", { name: sideText(say, other(match, own)) })),
    ...(score ? [element("p", "score", score)] : []),
    element("p", "soft", [matchText(say, match), state].filter(Boolean).join(" · ")),
    drawWhy(match.why),
  ];
}

function drawWhy(found) {
  const texts = whyTexts(say, found).map((text) => element("p", "", text));
  return element("details", "soft", "", element("summary", "", say("hub.why")), ...texts);
}

function drawResult(match, own) {
  const at = match.sides[0].team === own ? 0 : 1;
  const { winner } = match.result;
  const how = winner === null ? "drawn" : winner === at ? "won" : "lost";
  const scores = scoresOf(match);
  const ending = match.result.winner === null && match.result.is_absence ? "lost" : how;
  const small = [say(`hub.ending.${ending}`), endingText(say, match.result), matchText(say, match)];
  return element(
    "li",
    ending,
    "",
    element("span", "name", sideText(say, other(match, own))),
    element("b", "", `${scores[at]} – ${scores[1 - at]}`),
    element("small", "", small.filter(Boolean).join(" · "))
  );
}

function drawStandings(standings, own) {
  const title = standings.zone ? say("hub.zone", { zone: standings.zone }) : standings.title;
  const table = element("div", "wide", "", standingsTable(say, standings, own));
  table.tabIndex = 0;
  table.setAttribute("role", "region");
  table.setAttribute("aria-label", title);
  return element("section", "", "", element("h2", "", title), table, legend(say, standings.criteria));
}

let shown = "";

function draw(report, isOld) {
  byId("stale").hidden = !isOld;
  if (report === undefined || JSON.stringify(report) === shown) return;
  shown = JSON.stringify(report);
  for (const each of document.querySelectorAll("main > section")) each.hidden = !report;
  byId("name").textContent = report ? report.name : say("hub.team.unknown");
  document.title = byId("name").textContent;
  if (!report) return;
  const gone = report.is_withdrawn && say("hub.team.withdrawn");
  byId("title").textContent = [report.title, report.club, gone].filter(Boolean).join(" · ");
  const results = report.matches.filter((each) => each.result).reverse();
  byId("next").replaceChildren(...drawNext(report.next, report.team, report.champion));
  byId("results").replaceChildren(...results.map((each) => drawResult(each, report.team)));
  byId("results").parentElement.hidden = !results.length;
  byId("standings").replaceChildren(...report.standings.map((each) => drawStandings(each, report.team)));
}

byId("stale").textContent = say("hub.offline");
byId("next-title").textContent = say("hub.team.next");
byId("results-title").textContent = say("hub.team.results");
await follow(say, `/api/v1/tournament/teams/${encodeURIComponent(team)}`, PACE, draw);
document.documentElement.dataset.ready = "yes";
