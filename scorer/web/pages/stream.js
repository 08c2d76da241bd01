// The newest report of the table, over whatever connection there is: a stream, else asking.
// It decides what is newer and how old what is shown has become; it draws nothing.

const BEAT = 12; // seconds of silence after which a stream is dead
const PATIENCE = 5; // seconds without a connection before what is shown counts as old
const ASK = 5; // seconds between two questions where there is no stream
const STREAM_AGAIN = 60; // seconds until a refused stream is asked for again

// Is `next` newer than `shown`? `rev` rises within an epoch, and nothing is known of the order of
// two epochs: so a late answer (asked for before `shown` came) never crosses one.
export function isNewer(next, shown, late) {
  if (!shown) return true;
  if (next.epoch !== shown.epoch) return !late;
  // The same moment told again may still say that the table has gone, or is back.
  return next.rev > shown.rev || (next.rev === shown.rev && next.table !== shown.table && !late);
}

// Calls taken(report) for every newer report, and aged(why, seconds) each second: why is "" while
// what is shown is how it stands, else "offline", "gone" or "trouble".
export function follow(taken, aged) {
  let report = null;
  let told = 0; // when it came
  let count = 0; // reports taken
  let word = Date.now(); // when the server last said anything
  let stream = null;
  let tried = 0; // when the stream was last asked for
  let refused = 0; // when it was last refused
  let open = false;
  let asking = false;
  let asked = 0;

  function take(next, late) {
    word = Date.now();
    // The box was updated: its pages too.
    if (report && next.version !== report.version) location.reload();
    if (isNewer(next, report, late)) {
      report = next;
      told = word;
      count += 1;
      taken(report);
    }
    age();
  }

  function connect() {
    if (stream) stream.close();
    stream = null;
    open = false;
    tried = Date.now();
    if (!window.EventSource) return;
    const mine = new EventSource("/events");
    stream = mine;
    const on = (name, act) =>
      mine.addEventListener(name, (event) => {
        if (mine !== stream) return;
        open = true;
        act(JSON.parse(event.data));
      });
    on("state", (next) => take(next, false));
    on("gone", (next) => take(next, false));
    on("beat", (beat) => {
      word = Date.now();
      if (!report || beat.id !== report.id || beat.table !== report.table) ask();
      age();
    });
    mine.onerror = () => {
      if (mine !== stream) return;
      open = false;
      // What was refused stays closed; what was lost is taken up again by the browser.
      if (mine.readyState !== EventSource.CLOSED) return;
      stream = null;
      refused = Date.now();
      ask();
    };
  }

  function ask() {
    // An answer that never comes must not be waited for for ever.
    if (asking && Date.now() - asked < 3000 * ASK) return;
    asking = true;
    asked = Date.now();
    const before = count;
    const done = () => {
      asking = false;
    };
    fetch("/api/v1/state", { cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
      .then((next) => take(next, count !== before))
      .then(done, done);
  }

  function age() {
    const now = Date.now();
    const silent = (now - word) / 1000;
    if (silent > (open ? BEAT : PATIENCE)) aged("offline", silent + old(report));
    else if (report && report.table !== "here") aged(report.table, old(report) + (now - told) / 1000);
    else aged("", 0);
  }

  function tick() {
    const now = Date.now();
    const dead = stream && now - Math.max(word, tried) > 1000 * BEAT;
    if (dead || (!stream && now - refused > 1000 * STREAM_AGAIN)) connect();
    if (!open && now - asked > 1000 * ASK) ask();
    age();
  }

  document.addEventListener("visibilitychange", () => {
    // A telephone that slept knows nothing of what happened meanwhile.
    if (!document.hidden) tick();
  });
  connect();
  setInterval(tick, 1000);
}

// Seconds that a report was old already when it was sent.
function old(report) {
  return report && report.since ? Math.max(0, report.at - report.since) : 0;
}
