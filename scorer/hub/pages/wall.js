// The scores of all tables, as the hub sends them, page after page.

import { replaceChildren } from "./dom.js";
import { createElement } from "./element.js";
import { follow } from "./follow.js";
import { request } from "./request.js";
import { createTables, tablesOf } from "./tables.js";
import { parts, turnPages } from "./turning.js";
import { followUpdate } from "./update.js";
import { fetchWords, showFinder } from "./words.js";

const MOST = 16; // tables of a page, so that names are read across a hall

const byId = (id) => document.getElementById(id);

// A phone scrolls.
const scrolls = () => window.matchMedia("(max-width: 40rem)").matches;

function start(say) {
  const showTables = createTables(say, byId("view"));
  let hall = "";

  const show = turnPages((page, at, count, isPaused) => {
    const place = [count > 1 && `${at + 1}/${count}`, isPaused && say("hub.paused")].filter(Boolean);
    byId("hall").textContent = hall;
    byId("place").textContent = place.join(" · ");
    document.title = hall;
    if (page.tables.length) showTables(page.tables);
    else replaceChildren(byId("view"), createElement("p", "note", say("hub.none")));
  });

  function draw(report) {
    hall = report.hall;
    showFinder(say, report.has_teams);
    const tables = tablesOf(say, report);
    const names = report.queue.map((teams, at) => `${at + 1}. ${teams.join(" – ")}`).join(" · ");
    byId("next").textContent = say("hub.next", { names });
    byId("next").hidden = !names;
    document.body.classList.toggle("scrolls", scrolls());
    const pages = scrolls() ? [tables] : parts(tables, MOST);
    show((pages.length ? pages : [[]]).map((each, at) => ({ key: at, isUrgent: true, tables: each })));
  }

  byId("stale").textContent = say("hub.offline");
  const server = {
    open: () => (window.EventSource ? new EventSource("/events") : null),
    events: ["hall"],
    load: () => request("/api/v1/hall").then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status)))),
    isShown: () => true,
  };
  let newest = null;
  window.addEventListener("resize", () => newest && draw(newest));
  follow(
    server,
    (report) => {
      newest = report;
      followUpdate(report);
      draw(report);
    },
    (silent) => {
      byId("stale").hidden = !silent;
    }
  );
}

fetchWords("/words").then(start);
