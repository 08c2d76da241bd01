// The newest report of the table, over whatever connection there is: a stream, else asking.
// It decides what is newer and how old what is shown has become; it draws nothing.

const HEARTBEAT = 12; // seconds of silence after which a stream is dead
const STALE_AFTER = 5; // seconds without a connection before what is shown counts as old
const POLL_INTERVAL = 5; // seconds between two questions where there is no stream
const RECONNECT_AFTER = 60; // seconds until a refused stream is asked for again

// Is `next` newer than `shown`? `rev` rises within an epoch, and nothing is known of the order of
// two epochs: so a late answer (asked for before `shown` came) never crosses one.
export function isNewer(next, shown, late) {
  if (!shown) return true;
  if (next.epoch !== shown.epoch) return !late;
  // The same moment told again may still say that the table has gone, or is back.
  return next.rev > shown.rev || (next.rev === shown.rev && next.table !== shown.table && !late);
}

// What the address of the page asks for is asked of the server too: the phrases come with a report.
const VIEWER = ["lang", "ours"]
  .map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, wanted]) => wanted)
  .map(([name, wanted]) => `${name}=${encodeURIComponent(wanted)}`)
  .join("&");

// Calls onReport(report) for every newer report, and onAge(why, seconds) each second: why is "" while
// what is shown is how it stands, else "offline", "gone" or "trouble".
export function followReports(onReport, onAge) {
  let report = null;
  let receivedAt = 0; // when it came
  let count = 0; // reports taken
  let lastHeardAt = Date.now(); // when the server last said anything
  let stream = null;
  let connectedAt = 0; // when the stream was last asked for
  let refusedAt = 0; // when it was last refused
  let isOpen = false;
  let isPolling = false;
  let polledAt = 0;

  function accept(next, late) {
    lastHeardAt = Date.now();
    // The box was updated: its pages too.
    if (report && next.version !== report.version) location.reload();
    if (isNewer(next, report, late)) {
      report = next;
      receivedAt = lastHeardAt;
      count += 1;
      onReport(report);
    }
    reportAge();
  }

  function connect() {
    if (stream) stream.close();
    stream = null;
    isOpen = false;
    connectedAt = Date.now();
    if (!window.EventSource) return;
    const source = new EventSource(`/events?${VIEWER}`);
    stream = source;
    const on = (name, act) =>
      source.addEventListener(name, (event) => {
        if (source !== stream) return;
        isOpen = true;
        act(JSON.parse(event.data));
      });
    on("state", (next) => accept(next, false));
    on("gone", (next) => accept(next, false));
    on("beat", (beat) => {
      lastHeardAt = Date.now();
      if (!report || beat.id !== report.id || beat.table !== report.table) poll();
      reportAge();
    });
    source.onerror = () => {
      if (source !== stream) return;
      isOpen = false;
      // What was refused stays closed; what was lost is taken up again by the browser.
      if (source.readyState !== EventSource.CLOSED) return;
      stream = null;
      refusedAt = Date.now();
      poll();
    };
  }

  function poll() {
    // An answer that never comes must not be waited for for ever.
    if (isPolling && Date.now() - polledAt < 3000 * POLL_INTERVAL) return;
    isPolling = true;
    polledAt = Date.now();
    const before = count;
    const done = () => {
      isPolling = false;
    };
    fetch(`/api/v1/state?${VIEWER}`, { cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
      .then((next) => accept(next, count !== before))
      .then(done, done);
  }

  function reportAge() {
    const now = Date.now();
    const silent = (now - lastHeardAt) / 1000;
    if (silent > (isOpen ? HEARTBEAT : STALE_AFTER)) onAge("offline", silent + ageWhenSent(report));
    else if (report && report.table !== "here") onAge(report.table, ageWhenSent(report) + (now - receivedAt) / 1000);
    else onAge("", 0);
  }

  function tick() {
    const now = Date.now();
    const dead = stream && now - Math.max(lastHeardAt, connectedAt) > 1000 * HEARTBEAT;
    if (dead || (!stream && now - refusedAt > 1000 * RECONNECT_AFTER)) connect();
    if (!isOpen && now - polledAt > 1000 * POLL_INTERVAL) poll();
    reportAge();
  }

  document.addEventListener("visibilitychange", () => {
    // A telephone that slept knows nothing of what happened meanwhile.
    if (!document.hidden) tick();
  });
  connect();
  setInterval(tick, 1000);
}

// Seconds that a report was old already when it was sent.
function ageWhenSent(report) {
  return report && report.since ? Math.max(0, report.at - report.since) : 0;
}
