// Who is in the hall: the roll before the first phase, and the teams that are not there.

import { button, byId } from "./controls.js";
import { createElement } from "./element.js";
import { act, decide, desk, may, say } from "./organise_actions.js";

const missingTeams = ({ teams }) => teams.filter((team) => team.is_missing && !team.is_withdrawn);

// Drawing or pairing with teams that are not there is asked about.
export function isMeantWithout() {
  const names = missingTeams(desk.state.tournament).map((team) => team.name);
  return !names.length || confirm(say("desk.o.without", { names: names.join(", ") }));
}

// The teams that are not there, each with the button that it came.
export function drawPresence(tournament) {
  const { teams, phases, champion } = tournament;
  const missing = missingTeams(tournament);
  const hasBegun = phases.some((phase) => phase.is_begun);
  const isShown = !champion && may("t.presence");
  const text = JSON.stringify([missing, hasBegun, isShown, teams.length]);
  if (desk.drawn.get("presence") === text) return;
  desk.drawn.set("presence", text);
  const mark = (name, word, present) => button(name, say(word), () => act("t.presence", { present }), "quiet");
  const made = [];
  if (missing.length) {
    const came = ({ id, name }) => {
      const label = `${say("desk.o.mark_present")}: ${name}`;
      return button(`came${id}`, label, () => decide({ do: "MarkPresent", team: id }));
    };
    const sum = say("desk.o.not_here", { n: missing.length, m: teams.length });
    made.push(createElement("p", "sum", sum), ...missing.map(came), mark("here", "desk.o.all_here", true));
  } else if (!hasBegun && teams.length) made.push(mark("roll", "desk.o.roll", false));
  byId("presence").replaceChildren(...(isShown ? made : []));
}
