// The addresses of all pages of the hall, each with its QR code.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { request } from "./request.js";

const WORDS = {
  wall: "desk.page.wall",
  tv: "desk.page.tv",
  teams: "hub.find",
  desk: "desk.desk",
  organise: "desk.organise",
};

function drawAddress(say, { page, screen, address, code }) {
  const title = screen ? say("hub.screen", { code: screen }) : say(WORDS[page]);
  const link = Object.assign(createElement("a", "", address), { href: address });
  const image = Object.assign(createElement("img", "qr"), { src: code, alt: `QR: ${title}` });
  return createElement("li", "entry", "", createElement("p", "", title, link), image);
}

// The list is asked for whenever it is opened: a television may have got its code since.
export function setUpAddresses(say) {
  byId("addresses-title").textContent = say("desk.addresses");
  byId("addresses").addEventListener("toggle", async () => {
    if (!byId("addresses").open) return;
    const answer = await request("/desk/addresses").catch(() => null);
    if (!answer || !answer.ok) return;
    const { pages } = answer.json();
    byId("address-list").replaceChildren(...pages.map((each) => drawAddress(say, each)));
  });
}
