// The idle screen of the board: the evening by pair, a curve of each game, name and code of the table.

import { replaceChildren, setText } from "./dom.js";
import { drawChart } from "./draw.js";
import { createElement } from "./element.js";
import { load } from "./transport.js";
import { OVER } from "./words.js";

const WAIT = 90; // seconds without a press after a game, or before the first press of one
const MAX_PAIRS = 6;
const MAX_CURVES = 8;

const byId = (id) => document.getElementById(id);

// `seconds`: of the page's address; 0: never. onToggle(isShown) is called after a change. Returns a
// function that takes each report.
export function createIdleScreen(seconds, onToggle) {
  const wait = 1000 * (Number(seconds || WAIT) || 0);
  let newest = null;
  let key = "";
  let timer = 0;
  let isShown = false;

  function toggle(next) {
    if (isShown === next) return;
    isShown = next;
    byId("board").hidden = next;
    byId("idle").hidden = !next;
    onToggle(next);
  }

  async function show() {
    const shown = key;
    const [{ address }, { games }] = await Promise.all(["api/v1/address", "api/v1/night/games"].map(load));
    if (shown !== key || (!address && !newest.phrases.night)) return;
    toggle(true);
    draw(newest, address, games);
  }

  return (report) => {
    newest = report;
    const { state } = report;
    const idles = state && wait && (OVER.includes(state.phase) || !report.recent.length);
    // A new game writes no row, but has a number.
    const next = idles ? `${report.epoch} ${state.number}` : "";
    if (next === key && isShown) show().catch(() => {});
    if (next === key) return;
    key = next;
    clearTimeout(timer);
    toggle(false);
    // A server that does not answer leaves the board as it is.
    if (key) timer = setTimeout(() => show().catch(() => {}), wait);
  };
}

function draw({ device, phrases }, address, games) {
  const night = phrases.night || { figures: [], rows: [], sum: "", unnamed: {} };
  setText(byId("idle-name"), device);
  setText(byId("idle-sum"), night.sum);
  replaceChildren(byId("idle-pairs"), ...(night.rows.length ? pairRows(night) : []));
  const code = createElement("img");
  code.src = "qr.svg";
  code.alt = address;
  replaceChildren(byId("idle-code"), ...(address ? [code, createElement("figcaption", "", address)] : []));
  const latest = games.slice(-MAX_CURVES);
  const figures = latest.map((game) => curve(game, phrases.order, night.unnamed));
  replaceChildren(byId("idle-curves"), ...figures.map(({ figure }) => figure));
  figures.forEach(({ place, chart }) => place.append(chart({ width: place.clientWidth, height: place.clientHeight })));
}

function pairRows({ figures, rows }) {
  const cells = (tag, texts) => texts.map((text) => createElement(tag, "", text));
  const head = createElement("tr", "", ...cells("td", ["", "", ""]), ...cells("th", figures));
  return [
    head,
    ...rows.slice(0, MAX_PAIRS).map(({ won, name, games, figures: counts }) => {
      const who = createElement("th", "who", name);
      return createElement("tr", "", createElement("td", "won", won), who, ...cells("td", [games, ...counts]));
    }),
  ];
}

// A game: names with the final score, and the score after each hand; sides as on the board.
function curve({ names, hands, sides: own, target, half, winner }, order, unnamed) {
  const sides = order.length === own.length ? order : own;
  const nameOf = (side) => names[side] || unnamed[side];
  const last = hands[hands.length - 1].score;
  const ends = sides.map((side, index) =>
    createElement("li", `side-${index}${side === winner ? " winner" : ""}`, createElement("span", "", nameOf(side)), createElement("b", "", String(last[side]))),
  );
  const place = createElement("div", "steps-box");
  const figure = createElement("figure", "", createElement("ol", "", ...ends), place);
  const title = sides.map((side) => `${nameOf(side)} ${last[side]}`).join(", ");
  return { figure, place, chart: (box) => drawChart(hands, { sides, target, half, title, box }) };
}
