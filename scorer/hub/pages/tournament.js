// What the pages of a tournament share: rounds, sides, results and standings in words.

import { element, readDocument } from "./words.js";

// Looks at a document again and again; `draw` gets it, null without one, and whether it is old.
export function follow(say, path, pace, draw) {
  let last;
  let text = "";
  const look = async () => {
    try {
      const answer = await fetch(path, { cache: "no-cache" });
      const found = answer.ok ? await answer.text() : "";
      if (!answer.ok && answer.status !== 404) throw new Error(answer.status);
      if (found !== text || last === undefined) last = found ? readDocument(say, found) : null;
      text = found;
      draw(last, false);
    } catch {
      draw(last, true);
    }
  };
  setInterval(look, pace);
  return look();
}

// What begins a phase, a round or a play-off.
export const BEGINS = { start: "hub.o.start", pair: "hub.o.pair", playoff: "hub.o.playoff" };

export const stageText = (say, { key, zone, round }) => say(`hub.stage.${key}`, { zone, round });

// "Llave, Final"; the round of a zone names the zone already.
export function matchText(say, match) {
  return match.stage.key === "zone"
    ? stageText(say, match.stage)
    : `${match.phase}, ${stageText(say, match.stage)}`;
}

export const shortId = (id) => id.split("-").slice(1).join("-");

export function sideText(say, side) {
  if (side.name) return side.name;
  if (side.winner_of) return say("hub.winner_of", { match: shortId(side.winner_of) });
  if (side.loser_of) return say("hub.loser_of", { match: shortId(side.loser_of) });
  return say("hub.nobody");
}

// Where a match is, and how far: "Mesa 7 · jugando".
export function placeText(say, match) {
  const table = match.table && say("hub.table", { n: match.table });
  return [table, say(`hub.state.${match.state}`)].filter(Boolean).join(" · ");
}

const isSeries = (games) => games[0] + games[1] > 1;

// Games of a series, points of a single game; "" before the first point.
export function scoresOf(match) {
  const from = match.result || match;
  const has = match.result || ["playing", "ended", "agreed", "contested"].includes(match.state);
  if (!has) return ["", ""];
  const isUncounted = from.points[0] + from.points[1] === 0;
  return (isSeries(from.games) || (match.result && isUncounted) ? from.games : from.points).map(String);
}

export function endingText(say, { ending }) {
  return ending === "played" ? "" : say(`hub.ending.${ending}`);
}

// A table of standings; `own`: the team whose row is marked.
export function standingsTable(say, standings, own = 0) {
  const head = element("tr", "", "");
  const column = (text, long, className) => {
    const made = element("th", className, text);
    made.scope = "col";
    if (long) made.title = long;
    head.append(made);
  };
  column("#", "", "rank");
  column(say("hub.team"), "", "name");
  column(say("hub.matches"), say("hub.matches.long"));
  for (const each of standings.criteria)
    column(say(`hub.criterion.${each}`), say(`hub.criterion.${each}.long`));
  const rows = standings.rows.map((row) => {
    const made = element("tr", row.team === own ? "own" : row.is_withdrawn ? "gone" : "", "");
    const name = element("th", "name", row.name);
    name.scope = "row";
    made.append(element("td", "rank", String(row.rank)), name, element("td", "", String(row.played)));
    for (const value of row.values) made.append(element("td", "", value || "–"));
    return made;
  });
  return element("table", "standings", "", element("thead", "", "", head), element("tbody", "", "", ...rows));
}

// What the short names of the criteria mean.
export function legend(say, criteria) {
  const meant = ["hub.matches", ...criteria.map((each) => `hub.criterion.${each}`)];
  const texts = meant.map((key) => `${say(key)} ${say(`${key}.long`)}`);
  return element("p", "legend", texts.join(" · "));
}

// "Why this opponent?", in sentences.
export function whyTexts(say, found) {
  const [one, other] = found.scores || found.seeds || [];
  const matches = (found.matches || []).map(shortId).join(", ");
  const teams = (found.teams || []).join(", ");
  const first = say(`hub.why.${found.why}`, { zone: found.zone, one, other, matches, teams });
  const nearer = (found.nearer || []).map((each) => say(`hub.why.${each.obstacle}`, each));
  return [first, ...nearer];
}

// The match of a bracket: both teams, the winner marked.
export function bracketMatch(say, match) {
  const scores = scoresOf(match);
  const won = match.result ? match.result.winner : null;
  const rows = match.sides.map((side, at) => {
    const name = element("span", side.name ? "name" : "name open", sideText(say, side));
    const classes = ["team", won === at ? "won" : "", won === 1 - at ? "lost" : ""];
    return element("div", classes.filter(Boolean).join(" "), "", name, element("b", "", scores[at]));
  });
  // The number of the match stands where another one names it.
  const open = [shortId(match.id), match.state === "planned" ? "" : placeText(say, match)];
  const note = match.result ? endingText(say, match.result) : open.filter(Boolean).join(" · ");
  const made = element("div", `match ${match.state}`, "", ...rows);
  if (note) made.append(element("small", "", note));
  return made;
}
