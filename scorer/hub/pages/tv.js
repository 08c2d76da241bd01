// A screen of the hall: it shows what the desk has given to its code, page after page.
// Space pauses, the arrows turn.

import { createElement } from "./element.js";
import { arrange, drawTable } from "./tables.js";
import { bracketMatch, follow, standingsTable } from "./tournament.js";
import { fetchWords, showFinder } from "./words.js";

const PACE = 4000; // milliseconds between two looks
const TURN = 12000; // milliseconds of a page
const LETTERS = "ABCDEFHJKLMNPRTUVWXY"; // none that looks like another
const ROUNDS = 4; // columns of a bracket

const say = await fetchWords("/words");
const byId = (id) => document.getElementById(id);
const code = codeOfThisScreen();
let found = null;
let hall = { tables: [] };
let at = 0;
let isPaused = false;
let shown = "";

function codeOfThisScreen() {
  const asked = new URLSearchParams(location.search).get("screen");
  if (asked) return asked.slice(0, 8).toUpperCase();
  let kept;
  try {
    kept = localStorage.getItem("screen");
  } catch {
    kept = null; // a television may have no storage
  }
  if (kept) return kept;
  const made = [...crypto.getRandomValues(new Uint8Array(3))]
    .map((each) => LETTERS[each % LETTERS.length])
    .join("");
  try {
    localStorage.setItem("screen", made);
  } catch {
    // The next start has another code.
  }
  return made;
}

function parts(list, size) {
  const made = [];
  for (let from = 0; from < list.length; from += size) made.push(list.slice(from, from + size));
  return made;
}

// ---- the pages of each view: a title, and what draws it

const isWide = () => window.innerWidth > window.innerHeight * 1.2;

// In two columns, a long name has smaller letters, a longer one two lines of these.
function nameClass(name, isNarrow) {
  if (!isNarrow || name.length <= 13) return "who";
  return name.length <= 20 ? "who long" : "who longer";
}

function wherePages() {
  const size = isWide() ? 16 : 9;
  return parts(found.where, size).map((rows) => [
    say("hub.where"),
    () =>
      createElement(
        "ol",
        "where",
        "",
        ...rows.map((row) => {
          const { match } = row;
          const table = match && match.table ? say("hub.table", { n: match.table }) : "";
          const below = match ? say("hub.against", { name: row.opponent }) : say("hub.bye");
          const state = match ? match.progress : "";
          const place = createElement("span", "at", "", createElement("b", "", table), createElement("small", "", state));
          const className = nameClass(row.name, isWide() && rows.length > 8);
          const who = createElement("span", className, "", createElement("b", "", row.name), createElement("small", "", below));
          return createElement("li", table ? "called" : "", "", who, place);
        })
      ),
  ]);
}

function standingsPages(phase) {
  const tables = phase.standings.flatMap((each) =>
    parts(each.rows, 10).map((rows) => ({ ...each, rows }))
  );
  const isSmall = tables.every((each) => each.rows.length <= 5);
  const size = isSmall ? (isWide() ? 4 : 3) : 1;
  return parts(tables, size).map((group) => [
    `${say("hub.standings")} · ${phase.title}`,
    () =>
      createElement(
        "div",
        `groups of-${group.length}`,
        "",
        ...group.map((each) => {
          const title = each.zone ? [createElement("h2", "", each.title)] : [];
          return createElement("section", "", "", ...title, standingsTable(say, each));
        }),
        createElement("p", "legend", group[0].legend)
      ),
  ]);
}

// Rounds of at most eight matches stand side by side; the matches of a larger one fill pages.
function bracketPages(phase) {
  const { title } = phase;
  const column = ({ stage, matches }) =>
    createElement(
      "section",
      "",
      "",
      createElement("h2", "", stage.text),
      createElement("div", "matches", "", ...matches.map(bracketMatch))
    );
  const page = (rounds) => [title, () => createElement("div", "bracket", "", ...rounds.map(column))];
  const large = phase.bracket.filter((round) => round.matches.length > 8);
  const small = phase.bracket.filter((round) => round.matches.length <= 8);
  const isOpen = (round) => round.matches.some((each) => !each.result);
  const wide = large.filter(isOpen).flatMap(({ stage, matches }) =>
    parts(matches, 24).map((part) => page(parts(part, 8).map((each) => ({ stage, matches: each }))))
  );
  return [...wide, ...parts(small, isWide() ? ROUNDS : 1).map(page)];
}

const championPage = () => [say("hub.champion"), () => createElement("p", "code", found.champion)];

function scorePages() {
  const size = isWide() ? 12 : 6;
  return parts(hall.tables, size).map((tables) => [
    say("hub.scores"),
    () => {
      const made = createElement("div", "tables", "", ...tables.map((each) => drawTable(say, each)));
      arrange(made);
      return made;
    },
  ]);
}

// What the desk has chosen for this screen; everything in turn if it has chosen nothing.
function pages() {
  if (!found) return [[say("hub.tournament.none"), () => createElement("p", "code", say("hub.screen", { code }))]];
  const choice = found.screens[code] || { show: "all" };
  const wants = (what) => choice.show === "all" || choice.show === what;
  const phases = found.phases.filter((each) => !choice.phase || each.id === choice.phase);
  const ofPhase = (phase) => [
    ...(wants("standings") ? standingsPages(phase) : []),
    ...(wants("bracket") ? bracketPages(phase) : []),
  ];
  // Of finished phases none turns by unless the desk has chosen it.
  const current = phases.filter((each) => choice.show !== "all" || each === phases[phases.length - 1]);
  return [
    ...(found.champion ? [championPage()] : []),
    ...(wants("where") ? wherePages() : []),
    ...current.flatMap(ofPhase),
    ...(wants("scores") ? scorePages() : []),
  ];
}

function draw() {
  const all = pages();
  if (!all.length) all.push([found ? found.title : "", () => createElement("p", "code", say("hub.screen", { code }))]);
  at = ((at % all.length) + all.length) % all.length;
  const [title, make] = all[at];
  const made = make();
  showFinder(say, found !== null);
  byId("title").textContent = title;
  document.title = `${title} · ${code}`;
  const of = all.length > 1 ? `${at + 1}/${all.length}` : "";
  const texts = [found && found.title, of, say("hub.screen", { code }), isPaused && say("hub.paused")];
  byId("place").textContent = texts.filter(Boolean).join(" · ");
  // Only what has changed is drawn: a screen that flickers is not read.
  if (made.outerHTML === shown) return;
  shown = made.outerHTML;
  byId("view").replaceChildren(made);
}

function turn(by) {
  at += by;
  draw();
}

byId("stale").textContent = say("hub.offline");
document.addEventListener("keydown", (event) => {
  if (event.key === " ") {
    isPaused = !isPaused;
    draw();
  } else if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
});
window.addEventListener("resize", draw);
await Promise.all([
  follow("/api/v1/hall", PACE / 2, (report) => {
    if (report) hall = report;
  }),
  follow("/api/v1/tournament", PACE, (report, isOld) => {
    if (report !== undefined) found = report;
    byId("stale").hidden = !isOld;
    draw();
  }),
]);
document.documentElement.dataset.ready = "yes";
setInterval(() => {
  if (!isPaused) turn(1);
}, TURN);
