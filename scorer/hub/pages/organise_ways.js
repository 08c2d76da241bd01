// Ways out of a round that cannot be paired or played as it is: exchanges, rematches, a round by hand, and an
// early end, each with its reason.

import { button, choice, field } from "./controls.js";
import { createElement } from "./element.js";
import { decide, desk, say } from "./organise_actions.js";

export const wayRows = (phase) =>
  waysOf(phase).flatMap((row) => (row.length ? [createElement("div", "fields", "", ...row)] : []));

function waysOf(phase) {
  const names = new Map(desk.state.tournament.teams.map((team) => [team.id, team.name]));
  const named = (ids) => ids.map((id) => [id, names.get(id)]);
  const [reason, reasonLabel] = field("text", "reason", say("desk.o.reason"));
  const send = (event) => decide({ ...event, phase: phase.id, reason: reason.value });
  const pair = (name, word, event, listed) => {
    const [one, oneLabel] = choice(`${name}0`, say("hub.team"), listed);
    const [other, otherLabel] = choice(`${name}1`, say("hub.team"), listed, listed[1]?.[0]);
    const chosen = () => send({ do: event, one: Number(one.value), other: Number(other.value) });
    return [oneLabel, otherLabel, button(name, say(word, { n: phase.paired }), chosen)];
  };
  const { exchangeable, next_round, may_miss, todo, paired, title } = phase;
  const isPaired = exchangeable.length > 2;
  const swap = isPaired ? pair("swap", "desk.o.swap", "ExchangeTeams", named(exchangeable)) : [];
  if (!next_round) return [[reasonLabel], swap];
  const text = say("desk.o.end", { phase: title });
  const end = button("end", text, () => confirm(`${text}?`) && send({ do: "EndPhase" }), "quiet");
  return [
    [reasonLabel],
    swap,
    pair("rematch", "desk.o.rematch", "AllowRematch", named(may_miss)),
    todo === "pair" ? handFields(next_round, named(may_miss), send) : [],
    paired ? [end] : [],
  ];
}

// A select for each place of the next round; of an odd number of teams the last one has no match.
function handFields(n, listed, send) {
  const places = listed.map(([id], at) => {
    const isBye = at === listed.length - 1 && at % 2 === 0;
    const label = isBye ? say("hub.bye") : say("desk.o.pair_of", { n: Math.floor(at / 2) + 1 });
    return choice(`hand${at}`, label, listed, id);
  });
  const pair = () => {
    const chosen = places.map(([select]) => Number(select.value));
    const bye = chosen.length % 2 ? chosen.pop() : 0;
    const pairs = chosen.flatMap((id, at) => (at % 2 ? [] : [[id, chosen[at + 1]]]));
    return send({ do: "PairByHand", pairs, bye });
  };
  return [...places.map(([, label]) => label), button("hand", say("desk.o.hand", { n }), pair)];
}
