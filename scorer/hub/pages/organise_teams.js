// The teams of the tournament page.

import { button, decide, field, mayDecide, say, small } from "./organise_actions.js";
import { element } from "./words.js";

export function teamEntry(team) {
  const people = [...team.players, ...team.reserves].join(", ");
  const text = element("p", team.is_withdrawn ? "gone" : "", team.name);
  text.append(small(people, team.club, team.is_missing && say("hub.o.is_missing")));
  const mark = team.is_missing ? "MarkPresent" : "MarkMissing";
  const markWord = say(team.is_missing ? "hub.o.mark_present" : "hub.o.mark_missing");
  const presence = button("presence", markWord, () => decide({ do: mark, team: team.id }), "quiet");
  presence.setAttribute("aria-label", `${markWord}: ${team.name}`);
  const controls = team.is_withdrawn || !mayDecide(mark) ? [] : [presence];
  if (!mayDecide("Withdraw")) return element("div", "entry", "", text, ...controls);
  const [reason, label] = field("text", "reason", say("hub.o.reason"));
  const withdraw = team.is_withdrawn
    ? () => decide({ do: "Return", team: team.id })
    : () => decide({ do: "Withdraw", team: team.id, reason: reason.value });
  const word = say(team.is_withdrawn ? "hub.o.return" : "hub.o.withdraw");
  const summary = element("summary", "", word);
  summary.setAttribute("aria-label", `${word}: ${team.name}`);
  const fields = [...(team.is_withdrawn ? [] : [label]), button("withdraw", word, withdraw, "quiet")];
  const details = element("details", "", "", summary, element("div", "fields", "", ...fields));
  return element("div", "entry", "", text, ...controls, details);
}
