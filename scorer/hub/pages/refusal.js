// What the pages of the desk say of a refused decision, and of times.

// Hours and minutes; the age in minutes while the clock of the hub is not trusted.
export function timeOf(at, { clock_is_trusted, now }) {
  const language = document.documentElement.lang;
  if (!clock_is_trusted) {
    const minutes = Math.round((new Date(at) - new Date(now)) / 60000);
    const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    return format.format(Math.min(minutes, 0), "minute");
  }
  return new Date(at).toLocaleTimeString(language, {
    hour: "2-digit",
    hourCycle: "h23",
    minute: "2-digit",
  });
}

// Who has decided what meanwhile, or why a decision is refused; `state` has the clock of the hub.
export function refusalText(say, { change, key, error }, state) {
  if (!change || !state) return say(`desk.error.${key}`) || error;
  const { who, what, at } = change;
  return say("desk.error.t.changed_by", {
    who: who === "hub" ? say("desk.change.hub") : who,
    what: say(`desk.change.${what}`),
    time: timeOf(at, state),
  });
}
