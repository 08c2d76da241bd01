// A screen of the hall: it shows what the desk has given to its code, page after page. `?teams=a-l` in
// its address: who plays where of these teams alone, for halls whose teams share several screens.

import { fitAll, replaceChildren } from "./dom.js";
import { createElement } from "./element.js";
import { createTables, followHall } from "./tables.js";
import { drawnOf, follow, standingsTable } from "./tournament.js";
import { parts, turnPages } from "./turning.js";
import { fetchWords, showFinder } from "./words.js";

const PACE = 4000; // milliseconds between two looks
const LETTERS = "ABCDEFHJKLMNPRTUVWXY"; // none that looks like another
const ROUNDS = 4; // columns of a bracket
const TABLES = { true: 12, false: 6 }; // of a page that is wide or not
const TEAMS = { true: 16, false: 9 };
const MANY = 64; // teams whose pages would not be back in a minute
const TEAMS_OF_MANY = 24; // of a page

const byId = (id) => document.getElementById(id);
const code = codeOfThisScreen();
const [from, to] = (new URLSearchParams(location.search).get("teams") || "").toLowerCase().split("-");
let say = () => "";
let showTables = null;
let found = null;
let hall = { keys: [], tables: new Map(), clocks: {} };
let shown = "";
let onScreen = null; // the page that is shown

function codeOfThisScreen() {
  const asked = new URLSearchParams(location.search).get("screen");
  if (asked) return asked.slice(0, 8).toUpperCase();
  let kept;
  try {
    kept = localStorage.getItem("screen");
  } catch (_error) {
    kept = null; // a television may have no storage
  }
  if (kept) return kept;
  const made = [...crypto.getRandomValues(new Uint8Array(3))]
    .map((each) => LETTERS[each % LETTERS.length])
    .join("");
  try {
    localStorage.setItem("screen", made);
  } catch (_error) {
    // The next start has another code.
  }
  return made;
}

const joined = (lists) => [].concat(...lists);

// Whether a team is one of those of this screen. What begins with another sign is before A.
function isOfScreen({ name }) {
  const plain = name.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const isAfter = !from || from === "a" || plain.slice(0, from.length) >= from;
  return isAfter && (!to || plain.slice(0, to.length) <= to);
}

// ---- the pages of each view: {key, title, show}

const isWide = () => window.innerWidth > window.innerHeight * 1.2;

// Only what has changed is drawn: a screen that flickers is not read.
function put(made) {
  if (made.outerHTML === shown) return;
  shown = made.outerHTML;
  replaceChildren(byId("view"), made);
  fitAll();
}

const page = (key, title, make) => ({ key, title, show: () => put(make()) });

const titled = (...texts) => texts.filter(Boolean).join(" · ");

function wherePages({ where }) {
  const all = where.filter(isOfScreen);
  const most = all.length > MANY ? TEAMS_OF_MANY : TEAMS[isWide()];
  const title = from ? `${say("hub.where")} · ${[from, to].filter(Boolean).join("–").toUpperCase()}` : say("hub.where");
  return parts(all, most).map((rows, at) => {
    const make = () => {
      const list = createElement("ol", most === TEAMS_OF_MANY ? "where many" : "where", ...rows.map(drawnOf));
      const lines = isWide() ? rows.length / 2 : rows.length;
      list.style.setProperty("--lines", Math.max(6, Math.ceil(lines)));
      return list;
    };
    return Object.assign({ isUrgent: true }, page(`where ${at}`, title, make));
  });
}

function standingsPages(phase) {
  const tables = joined(phase.standings.map((each) => parts(each.rows, 10).map((rows) => Object.assign({}, each, { rows }))));
  const isSmall = tables.every((each) => each.rows.length <= 5);
  const size = isSmall ? (isWide() ? 4 : 3) : 1;
  return parts(tables, size).map((group, at) =>
    page(`standings ${phase.id} ${at}`, titled(say("hub.standings"), phase.title, phase.clock), () => {
      const sections = group.map((each) => {
        const title = each.zone ? createElement("h2", "", each.title) : "";
        return createElement("section", "", title, standingsTable(each));
      });
      return createElement("div", `groups of-${group.length}`, ...sections, createElement("p", "legend", group[0].legend));
    })
  );
}

// Rounds of at most eight matches stand side by side; the matches of a larger one fill pages.
function bracketPages(phase) {
  const column = ({ title, matches }) =>
    createElement("section", "", createElement("h2", "", title), createElement("div", "matches", ...matches.map(drawnOf)));
  const large = phase.bracket.filter((round) => round.matches.length > 8);
  const small = phase.bracket.filter((round) => round.matches.length <= 8);
  const wide = joined(
    large.filter((round) => round.is_open).map(({ title, matches }) =>
      parts(matches, 24).map((part) => parts(part, 8).map((each) => ({ title, matches: each })))
    )
  );
  return [...wide, ...parts(small, isWide() ? ROUNDS : 1)].map((rounds, at) =>
    page(`bracket ${phase.id} ${at}`, titled(phase.title, phase.clock), () => createElement("div", "bracket", ...rounds.map(column)))
  );
}

const scorePages = () =>
  parts(hall.keys, TABLES[isWide()]).map((keys, at) => ({
    key: `scores ${at}`,
    title: say("hub.scores"),
    isLive: true,
    show: () => {
      shown = "";
      showTables(keys.map((key) => hall.tables.get(key)), hall.clocks);
    },
  }));

const notice = (title, text) => page("notice", title, () => createElement("p", "code", text));

const nameOf = ({ title, date }) => titled(title, date);

// What the desk has chosen for this screen; everything in turn if it has chosen nothing. `name` of a
// page: that of its tournament.
function pages() {
  if (!found || !found.tournaments.length) return [notice(say("hub.tournament.none"), say("hub.screen", { code }))];
  const choice = found.screens[code] || { show: "all" };
  const chosen = found.tournaments.filter(({ id }) => choice.tournaments && choice.tournaments.indexOf(id) >= 0);
  const listed = chosen.length ? chosen : found.tournaments;
  const wantsScores = choice.show === "all" || choice.show === "scores";
  const made = listed.map((each) =>
    pagesOf(each, choice).map((one) => Object.assign(one, { key: `${each.id} ${one.key}`, name: nameOf(each) }))
  );
  const all = [...joined(made), ...(wantsScores ? scorePages() : [])];
  return all.length ? all : [notice(nameOf(listed[0]), say("hub.screen", { code }))];
}

function pagesOf(tournament, choice) {
  const wants = (what) => choice.show === "all" || choice.show === what;
  const phases = tournament.phases.filter((each) => !choice.phase || each.id === choice.phase);
  const ofPhase = (phase) => [
    ...(wants("standings") ? standingsPages(phase) : []),
    ...(wants("bracket") ? bracketPages(phase) : []),
  ];
  // Of finished phases none turns by unless the desk has chosen it.
  const current = phases.filter((each) => choice.show !== "all" || each === phases[phases.length - 1]);
  return [
    ...(tournament.champion ? [notice(say("hub.champion"), tournament.champion)] : []),
    ...(wants("where") ? wherePages(tournament) : []),
    ...joined(current.map(ofPhase)),
  ];
}

const update = turnPages((shownPage, at, count, isPaused) => {
  const { title, name, show } = shownPage;
  onScreen = shownPage;
  showFinder(say, Boolean(found && found.tournaments.length));
  byId("title").textContent = title;
  document.title = `${title} · ${code}`;
  const of = count > 1 && `${at + 1}/${count}`;
  const texts = [name, of, say("hub.screen", { code }), isPaused && say("hub.paused")];
  byId("place").textContent = texts.filter(Boolean).join(" · ");
  show();
});

async function start(texts) {
  say = texts;
  showTables = createTables(byId("view"));
  byId("stale").textContent = say("hub.offline");
  window.addEventListener("resize", () => {
    shown = "";
    update(pages());
  });
  await Promise.all([
    new Promise((resolve) => {
      const onHall = (report) => {
        const isSame = report.keys.join() === hall.keys.join();
        hall = report;
        if (!isSame) update(pages());
        else if (onScreen && onScreen.isLive) onScreen.show();
        resolve();
      };
      followHall(onHall, (silent) => silent && resolve());
    }),
    follow("/drawn/screens", PACE, (report, isOld) => {
      if (report !== undefined) found = report;
      byId("stale").hidden = !isOld;
      update(pages());
    }),
  ]);
  document.documentElement.dataset.ready = "yes";
}

fetchWords("/words").then(start);
