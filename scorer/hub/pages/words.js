// What the pages of a hall share: texts in one language, names of teams.

const DEFAULT_NAMES = ["side.ours", "side.theirs", "side.third"];

export async function fetchWords(path) {
  const answer = await fetch(`${path}/${encodeURIComponent(document.documentElement.lang)}.json`);
  const texts = await answer.json();
  return (key, fields = {}) =>
    (texts[key] || "").replace(/\{(\w+)\}/g, (_, name) => (name in fields ? fields[name] : ""));
}

// The code and link of the page where players find their team; shown while there are teams.
export function showFinder(say, hasTeams) {
  document.querySelector("#find span").textContent = say("hub.find");
  document.body.classList.toggle("searchable", hasTeams);
}

// The name of the team at a place, or the name of its side.
export function teamName(say, name, at) {
  return name || say(DEFAULT_NAMES[at]);
}
