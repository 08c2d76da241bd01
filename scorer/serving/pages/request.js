// Requests that end, and pages that are seen again.

const PATIENCE = 10; // seconds for an answer

// Resolves to {ok, status, text, json(), header(name)}; rejects without an answer in time. A request is
// ended, not left alone: where packets vanish it would keep a connection of the browser.
export function request(path, { method = "GET", headers = {}, body = null, seconds = PATIENCE } = {}) {
  return new Promise((resolve, reject) => {
    const asked = new XMLHttpRequest();
    const timer = setTimeout(() => asked.abort(), 1000 * seconds);
    asked.open(method, path);
    Object.keys(headers).forEach((name) => asked.setRequestHeader(name, headers[name]));
    asked.onloadend = () => {
      clearTimeout(timer);
      const { status, responseText: text } = asked;
      const answer = { ok: status < 300, status, text, json: () => JSON.parse(text), header: (name) => asked.getResponseHeader(name) };
      if (status) resolve(answer);
      else reject(new Error(`${path} is not answered`));
    };
    asked.send(body);
  });
}

// Calls onSight(isSeen) when the page is hidden or seen again. A page that slept has missed timers.
export function watchSight(onSight) {
  document.addEventListener("visibilitychange", () => onSight(!document.hidden));
  window.addEventListener("pageshow", (event) => event.persisted && onSight(true));
}
