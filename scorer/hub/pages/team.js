// The page of a team for phones: where it plays, its results, its zone.

import { replaceChildren } from "./dom.js";
import { createElement } from "./element.js";
import { follow, standingsTable } from "./tournament.js";
import { fetchWords } from "./words.js";

const PACE = 5000; // milliseconds between two looks

let say = () => "";
const byId = (id) => document.getElementById(id);
// /e/7, or /e/12/7 of tournament 12.
const [, , ...path] = location.pathname.split("/");
const [team, tournament] = path.reverse();

function drawNext(match, champion) {
  if (!match) return [createElement("p", "none", champion || say("hub.team.none"))];
  const { table, progress, place, clock, score } = match;
  return [
    createElement("p", "table", table ? say("hub.table", { n: table }) : place),
    createElement("p", "", say("hub.against", { name: match.opponent })),
    ...(score ? [createElement("p", "score", score)] : []),
    createElement("p", "soft", [match.title, table && progress, clock].filter(Boolean).join(" · ")),
    drawWhy(match.why),
  ];
}

function drawWhy(sentences) {
  const texts = sentences.map((text) => createElement("p", "", text));
  return createElement("details", "soft", "", createElement("summary", "", say("hub.why")), ...texts);
}

function drawResult({ opponent, score, outcome, outcome_text, result, title }) {
  return createElement(
    "li",
    outcome,
    "",
    createElement("span", "name", opponent),
    createElement("b", "", score),
    createElement("small", "", [outcome_text, result.text, title].filter(Boolean).join(" · "))
  );
}

function drawStandings(standings, own) {
  const { title, legend } = standings;
  const table = createElement("div", "wide", "", standingsTable(say, standings, own));
  table.tabIndex = 0;
  table.setAttribute("role", "region");
  table.setAttribute("aria-label", title);
  return createElement("section", "", "", createElement("h2", "", title), table, createElement("p", "legend", legend));
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
  byId("title").textContent = [report.title, report.date, report.club, gone].filter(Boolean).join(" · ");
  const results = report.matches.filter((each) => each.result).reverse();
  byId("next-title").textContent = say(!report.next && report.champion ? "hub.champion" : "hub.team.next");
  replaceChildren(byId("next"), ...drawNext(report.next, report.champion));
  replaceChildren(byId("results"), ...results.map(drawResult));
  byId("results").parentElement.hidden = !results.length;
  replaceChildren(byId("standings"), ...report.standings.map((each) => drawStandings(each, report.team)));
}

async function start(texts) {
  say = texts;
  byId("stale").textContent = say("hub.offline");
  byId("another").textContent = say("hub.find");
  byId("next-title").textContent = say("hub.team.next");
  byId("results-title").textContent = say("hub.team.results");
  const of = tournament ? `tournaments/${encodeURIComponent(tournament)}` : "tournament";
  await follow(`/api/v1/${of}/teams/${encodeURIComponent(team)}`, PACE, draw);
  document.documentElement.dataset.ready = "yes";
}

fetchWords("/words").then(start);
