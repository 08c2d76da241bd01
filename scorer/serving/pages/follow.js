// Receive the newest report over a stream, else by polling.

import { watchSight } from "./request.js";

const HEARTBEAT = 12; // seconds of silence after which a stream is dead
const STALE_AFTER = 5; // seconds without a connection until the report counts as stale
const POLL_INTERVAL = 5; // seconds between polls without a stream
const RECONNECT_AFTER = 60; // seconds until a refused one is retried
const STREAMS = 3; // of a browser, which opens six connections to a server
const LEASE = 15; // seconds
const LEASES = "truco.streams";
const OWN = String(Math.random());

// Whether this page may have a stream, or keep it, if it `wants` one. The others poll: a browser whose
// connections are all streams opens no page. Without storage each may.
function lease(wants) {
  try {
    const now = Date.now();
    const known = JSON.parse(localStorage.getItem(LEASES)) || {};
    const next = {};
    Object.keys(known).forEach((page) => {
      const left = known[page] - now;
      if (page !== OWN && left > 0 && left <= 1000 * LEASE) next[page] = known[page];
    });
    const may = wants && Object.keys(next).length < STREAMS;
    if (may) next[OWN] = now + 1000 * LEASE;
    localStorage.setItem(LEASES, JSON.stringify(next));
    return may;
  } catch (_error) {
    return wants;
  }
}

// open(): an EventSource, or null; `events`: those with a report; load(): a promise of a report;
// isShown(beat): whether the newest one is shown. Calls onReport(report, late), `late` if another one
// came since it was asked for, and each second onSilence(seconds), 0 while the server is heard.
export function follow({ open, events, load, isShown }, onReport, onSilence) {
  let count = 0; // reports
  let lastHeardAt = Date.now(); // anything
  let stream = null;
  let connectedAt = 0; // when it was last requested
  let refusedAt = 0;
  let isOpen = false;
  let isPolling = false;
  let polledAt = 0;

  function accept(report, late) {
    lastHeardAt = Date.now();
    count += 1;
    onReport(report, late);
    tell();
  }

  function disconnect() {
    if (stream) stream.close();
    stream = null;
    isOpen = false;
  }

  function connect() {
    disconnect();
    if (!lease(!document.hidden)) return;
    const source = open();
    if (!source) return;
    connectedAt = Date.now();
    stream = source;
    const on = (name, act) =>
      source.addEventListener(name, (event) => {
        if (source !== stream) return;
        isOpen = true;
        act(JSON.parse(event.data));
      });
    events.forEach((name) => on(name, (report) => accept(report, false)));
    on("beat", (beat) => {
      lastHeardAt = Date.now();
      if (!isShown(beat)) poll();
      tell();
    });
    source.onerror = () => {
      if (source !== stream) return;
      isOpen = false;
      // A refused stream stays closed; a lost one is reopened by the browser.
      if (source.readyState !== source.CLOSED) return;
      disconnect();
      lease(false);
      refusedAt = Date.now();
      poll();
    };
  }

  function poll() {
    if (isPolling) return;
    isPolling = true;
    polledAt = Date.now();
    const before = count;
    const done = () => {
      isPolling = false;
    };
    load()
      .then((report) => accept(report, count !== before))
      .then(done, done);
  }

  function tell() {
    const silent = (Date.now() - lastHeardAt) / 1000;
    onSilence(silent > (isOpen ? HEARTBEAT : STALE_AFTER) ? silent : 0);
  }

  function tick() {
    const now = Date.now();
    const dead = stream && now - Math.max(lastHeardAt, connectedAt) > 1000 * HEARTBEAT;
    if (dead || (!stream && now - refusedAt > 1000 * RECONNECT_AFTER)) connect();
    else if (stream && !lease(true)) disconnect();
    if (!isOpen && now - polledAt > 1000 * POLL_INTERVAL) poll();
    tell();
  }

  function giveBack() {
    disconnect();
    lease(false);
  }

  watchSight((isSeen) => {
    // It may have died while the page was hidden, and takes no place of others then.
    if (!isSeen) return giveBack();
    connect();
    poll();
  });
  window.addEventListener("pagehide", giveBack);
  connect();
  if (!stream) poll();
  setInterval(tick, 1000);
}
