// Links to the paper and the files of a tournament.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { desk, ofTournament, say } from "./organise_actions.js";

// What is printed, and the kinds of phases of which one has begun; without any: always.
const PAPER = {
  set: [],
  "blank-sheets": ["zones", "bracket", "rounds", "double"],
  sheets: ["zones", "bracket", "rounds", "double"],
  zones: ["zones"],
  fixtures: ["zones", "bracket", "rounds", "double"],
  pairings: ["zones", "bracket", "rounds", "double"],
  standings: ["zones", "bracket", "rounds", "double"],
  order: ["zones", "bracket", "rounds", "double"],
  diplomas: ["zones", "bracket", "rounds", "double"],
  brackets: ["bracket", "double"],
  finder: [],
  posters: [],
  labels: [],
};

export function drawPaper({ id: tournament, phases, is_open: isOpen }) {
  const begun = phases.filter((phase) => phase.is_begun);
  const text = JSON.stringify([tournament, isOpen, ...begun.map(({ id, title }) => [id, title])]);
  byId("paper").parentElement.hidden = false;
  if (desk.drawn.get("paper") === text) return;
  desk.drawn.set("paper", text);
  const kinds = new Set(begun.map((phase) => phase.kind));
  const printed = Object.keys(PAPER).filter((kind) => !PAPER[kind].length || PAPER[kind].some((each) => kinds.has(each)));
  const links = [
    ...printed.map((kind) => [`paper/${kind}`, say(`desk.o.paper.${kind}`)]),
    ["tables/teams.csv", say("desk.o.file.teams")],
    ["tables/matches.csv", say("desk.o.file.matches")],
    ...begun.map(({ id, title }) => [`tables/standings-${id}.csv`, say("desk.o.file.standings", { phase: title })]),
    ["tables/final-order.csv", say("desk.o.file.order")],
    ["games.truco", say("desk.o.file.games")],
    ["tournament.json", say("desk.o.file.tournament")],
    ...(isOpen
      ? []
      : [
          ["evening/public.json", say("desk.o.file.evening")],
          ["evening/all.json", say("desk.o.file.evening.all")],
        ]),
  ];
  byId("paper").replaceChildren(
    ...links.map(([path, words]) => {
      const link = createElement("a", "", words);
      link.href = ofTournament(`/desk/${path}`, tournament);
      if (path.startsWith("paper/")) link.target = "_blank";
      return createElement("li", "", "", link);
    })
  );
}
