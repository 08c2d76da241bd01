// Receive the newest report over a stream, else by polling.
// Decides which report is newer, and how old the current one is.

import { load, openEvents } from "./transport.js";

const HEARTBEAT = 12; // seconds of silence after which a stream is dead
const STALE_AFTER = 5; // seconds without a connection until the report counts as stale
const POLL_INTERVAL = 5; // seconds between polls without a stream
const RECONNECT_AFTER = 60; // seconds until a refused stream is retried

// True if `next` is newer than `shown`. `rev` increases within an epoch; epochs have no order,
// so a late answer (requested before `shown` arrived) of another epoch is dropped.
export function isNewer(next, shown, late) {
  if (!shown) return true;
  if (next.epoch !== shown.epoch) return !late;
  // A report with the same `rev` may have another status of the table.
  return next.rev > shown.rev || (next.rev === shown.rev && next.table !== shown.table && !late);
}

// Parameters of the page are passed to the server, which makes the phrases.
const VIEWER = ["lang", "ours"]
  .map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, wanted]) => wanted)
  .map(([name, wanted]) => `${name}=${encodeURIComponent(wanted)}`)
  .join("&");

// Calls onReport(report) for every newer report, and onAge(why, seconds) each second: why is "" while
// the report is current, else "offline", "gone" or "trouble".
export function followReports(onReport, onAge) {
  let report = null;
  let receivedAt = 0; // when the report arrived
  let count = 0; // accepted reports
  let lastHeardAt = Date.now(); // when the server last sent anything
  let stream = null;
  let connectedAt = 0; // when the stream was last requested
  let refusedAt = 0; // when it was last refused
  let isOpen = false;
  let isPolling = false;
  let polledAt = 0;

  function accept(next, late) {
    lastHeardAt = Date.now();
    // The server was updated: reload its pages.
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
    const source = openEvents(VIEWER);
    if (!source) return;
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
      // A refused stream stays closed; a lost one is reopened by the browser.
      if (source.readyState !== source.CLOSED) return;
      stream = null;
      refusedAt = Date.now();
      poll();
    };
  }

  function poll() {
    // A request without an answer expires.
    if (isPolling && Date.now() - polledAt < 3000 * POLL_INTERVAL) return;
    isPolling = true;
    polledAt = Date.now();
    const before = count;
    const done = () => {
      isPolling = false;
    };
    load(`api/v1/state?${VIEWER}`)
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
    // A phone that slept has missed reports.
    if (!document.hidden) tick();
  });
  connect();
  setInterval(tick, 1000);
}

// Age of a report in seconds when it was sent.
function ageWhenSent(report) {
  return report && report.since ? Math.max(0, report.at - report.since) : 0;
}
