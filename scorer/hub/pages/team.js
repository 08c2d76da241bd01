// The page of a team for phones: where it plays, its results, its zone.

import { replaceChildren } from "./dom.js";
import { setUpShare } from "./share.js";
import { setUpWake } from "./team_wake.js";
import { drawnOf, follow } from "./tournament.js";
import { fetchWords } from "./words.js";

const PACE = 5000; // milliseconds between two looks

let say = () => "";
let message = "";
let tell = () => {};
const byId = (id) => document.getElementById(id);
// /e/7, or /e/12/7 of tournament 12.
const [, , ...path] = location.pathname.split("/");
const [team, tournament] = path.reverse();

// Shows fragments in a place, if one of them is another one.
function put(id, ...fragments) {
  const place = byId(id);
  const shown = fragments.map(({ key, rev }) => `${key} ${rev}`).join();
  if (place.dataset.shown === shown) return;
  place.dataset.shown = shown;
  replaceChildren(place, ...fragments.map(drawnOf));
}

function draw(report, isOld) {
  byId("stale").hidden = !isOld;
  if (report === undefined) return;
  for (const each of document.querySelectorAll("main > section")) each.hidden = !report;
  byId("name").textContent = report ? report.name : say("hub.team.unknown");
  document.title = byId("name").textContent;
  if (!report) return;
  message = report.message;
  byId("title").textContent = report.about;
  byId("next-title").textContent = report.next_title;
  put("next", report.next);
  tell(report.called);
  put("results", ...report.results);
  byId("results").parentElement.hidden = !report.results.length;
  put("standings", ...report.standings);
  byId("page").hidden = !report.page;
  if (report.page) byId("page").href = report.page;
  // The code changes with the page: it leads to this one until there is a published one.
  const code = `/qr/${report.code}.svg${report.page ? "?published" : ""}`;
  if (byId("code-picture").getAttribute("src") !== code) byId("code-picture").src = code;
}

async function start(texts) {
  say = texts;
  byId("stale").textContent = say("hub.offline");
  byId("another").textContent = say("hub.find");
  byId("next-title").textContent = say("hub.team.next");
  byId("results-title").textContent = say("hub.team.results");
  byId("wake-title").textContent = say("hub.wake");
  tell = setUpWake(byId("wake"), say);
  byId("share-title").textContent = say("hub.share");
  byId("page-title").textContent = say("hub.team.page");
  byId("page").textContent = say("hub.team.page.open");
  byId("code").firstElementChild.textContent = say("hub.team.code");
  byId("code-picture").alt = say("hub.team.code");
  const address = location.origin + location.pathname;
  setUpShare(byId("share"), say, () => Promise.resolve(`${message}\n${address}`), ["team"]);
  const of = tournament ? `tournaments/${encodeURIComponent(tournament)}` : "tournament";
  await follow(`/drawn/${of}/teams/${encodeURIComponent(team)}`, PACE, draw);
  document.documentElement.dataset.ready = "yes";
}

fetchWords("/words").then(start);
