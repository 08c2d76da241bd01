// The scores of all tables, as the hub draws them, page after page.

import { replaceChildren } from "./dom.js";
import { createElement } from "./element.js";
import { createTables, followHall } from "./tables.js";
import { parts, turnPages } from "./turning.js";
import { fetchWords, showFinder } from "./words.js";

const MOST = 16; // tables of a page, so that names are read across a hall

const byId = (id) => document.getElementById(id);

// A phone scrolls.
const scrolls = () => window.matchMedia("(max-width: 40rem)").matches;

function start(say) {
  const showTables = createTables(byId("view"));
  let newest = null;

  const show = turnPages((page, at, count, isPaused) => {
    const { hall } = newest.head;
    const place = [count > 1 && `${at + 1}/${count}`, isPaused && say("hub.paused")].filter(Boolean);
    byId("hall").textContent = hall;
    byId("place").textContent = place.join(" · ");
    document.title = hall;
    if (page.tables.length) showTables(page.tables, newest.clocks);
    else replaceChildren(byId("view"), createElement("p", "note", say("hub.none")));
  });

  function draw() {
    showFinder(say, newest.head.has_teams);
    byId("next").textContent = newest.head.next;
    byId("next").hidden = !newest.head.next;
    document.body.classList.toggle("scrolls", scrolls());
    const tables = newest.keys.map((key) => newest.tables.get(key));
    const pages = scrolls() ? [tables] : parts(tables, MOST);
    show((pages.length ? pages : [[]]).map((each, at) => ({ key: at, isUrgent: true, tables: each })));
  }

  byId("stale").textContent = say("hub.offline");
  window.addEventListener("resize", () => newest && draw());
  followHall(
    (hall) => {
      newest = hall;
      draw();
    },
    (silent) => {
      byId("stale").hidden = !silent;
    }
  );
}

fetchWords("/words").then(start);
