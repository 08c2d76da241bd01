// The pages of an updated hub replace those of the old one.

import { request } from "./request.js";

// `version`: of the hub, in a document of it. A window loads the pages of a version once, whatever it
// gets: its name remembers that over the reload, also where nothing can be stored.
export function followUpdate({ version }) {
  const loaded = window.name.split(" ");
  if (!version || version === document.documentElement.dataset.version || loaded.includes(version)) return;
  window.name = [...loaded, version].join(" ");
  // A hub that ends just now would leave the page of an error.
  request(location.pathname + location.search).then(({ ok }) => ok && location.reload(), () => {
    window.name = loaded.join(" ");
  });
}
