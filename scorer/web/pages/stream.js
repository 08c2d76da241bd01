// Follow the table of the board: which report is newer, and how old the current one is.

import { follow } from "./follow.js";
import { load, openEvents } from "./transport.js";

// True if `next` is newer than `shown`. `rev` increases within an epoch; epochs have no order,
// so a late answer (requested before `shown` arrived) of another epoch is dropped.
export function isNewer(next, shown, late) {
  if (!shown) return true;
  if (next.epoch !== shown.epoch) return !late;
  // A report with the same `rev` may have another status of the table.
  return next.rev > shown.rev || (next.rev === shown.rev && next.table !== shown.table && !late);
}

// A state without phrases: its history is late, and the last picture stays.
function withPicture(next, shown) {
  if (!next.state || next.phrases) return next;
  const { state, board, phrases, hands, recent } = shown || { state: null };
  return Object.assign({}, next, { state, board, phrases, hands, recent });
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
  const server = {
    open: () => openEvents(VIEWER),
    events: ["state", "gone"],
    load: () => load(`api/v1/state?${VIEWER}`),
    isShown: ({ id, table }) => Boolean(report) && id === report.id && table === report.table,
  };

  function accept(next, late) {
    // The server was updated.
    if (report && next.version !== report.version) location.reload();
    if (!isNewer(next, report, late)) return;
    report = withPicture(next, report);
    receivedAt = Date.now();
    onReport(report);
  }

  function reportAge(silent) {
    if (silent) onAge("offline", silent + ageWhenSent(report));
    else if (report && report.table !== "here") onAge(report.table, ageWhenSent(report) + (Date.now() - receivedAt) / 1000);
    else onAge("", 0);
  }

  follow(server, accept, reportAge);
}

// Age of a report in seconds when it was sent.
function ageWhenSent(report) {
  return report && report.since ? Math.max(0, report.at - report.since) : 0;
}
