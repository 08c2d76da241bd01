// Forget a person: the places that name it in all tournaments, open and closed, and what remains.

import { button, byId, small } from "./controls.js";
import { createElement } from "./element.js";
import { act, say } from "./organise_actions.js";
import { usedPlace } from "./refusal.js";

// The places that name the person whose name is typed.
export const findPerson = () => find({ name: byId("person").value.trim() });

// The names of a team of the page and of its players.
export async function findTeam(team) {
  byId("person").value = "";
  await find({ name: "", team });
  byId("found-person").scrollIntoView({ block: "nearest" });
  byId("found-person").querySelector("input")?.focus();
}

async function find(asked) {
  const place = usedPlace();
  const found = await act("names.find", asked, place);
  if (found) drawPlaces(found.places, asked.name);
}

function drawPlaces(places, name) {
  if (!places.length) {
    byId("found-person").replaceChildren(createElement("p", "", say("desk.forget.none")));
    return;
  }
  const boxes = places.map(({ is_meant: checked }, at) => {
    const box = Object.assign(createElement("input", "", ""), { type: "checkbox", checked });
    box.dataset.name = `place ${at}`;
    return box;
  });
  const labels = places.map(({ text, kind, title, team }, at) => {
    const about = small(say(`desk.forget.kind.${kind}`), title, team && `#${team}`);
    return createElement("label", "check", "", boxes[at], createElement("span", "", text, about));
  });
  const chosen = () => places.filter((_, at) => boxes[at].checked).map(({ tournament, team, kind, text }) => [tournament, team, kind, text]);
  const forget = button("forget", say("desk.forget.do"), () => confirmed(chosen(), name));
  const legend = createElement("legend", "", say("desk.forget.which"));
  const shown = createElement("fieldset", "entry places", "", legend, small(say("desk.forget.which.what")), ...labels, forget);
  byId("found-person").replaceChildren(shown);
}

async function confirmed(places, name) {
  const place = usedPlace();
  const texts = [...new Set(places.map((each) => each[3]))];
  if (!confirm([say("desk.forget.sure"), "", ...texts].join("\n"))) return;
  const done = await act("names.forget", { places, name }, place);
  if (!done) return;
  byId("person").value = "";
  const heading = createElement("p", "", say("desk.forget.done", { n: done.entries, m: done.games }));
  const remains = done.remains.map(({ text, command }) => {
    const line = createElement("li", "", text);
    if (command) line.append(createElement("pre", "command", command));
    return line;
  });
  byId("found-person").replaceChildren(
    heading,
    createElement("p", "", say("desk.forget.remains")),
    createElement("ul", "remains", "", ...remains)
  );
  byId("found-person").scrollIntoView({ block: "nearest" });
}
