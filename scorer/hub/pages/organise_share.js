// Pairings, results and standings of the tournament as texts to share.

import { byId } from "./controls.js";
import { desk, say } from "./organise_actions.js";
import { request } from "./request.js";
import { setUpShare } from "./share.js";
import { inLanguage } from "./tournament.js";

export function setUpSharing() {
  setUpShare(byId("share"), say, async (kind) => {
    const answer = await request(inLanguage(`/messages/${desk.state.tournament.id}`));
    if (!answer.ok) throw new Error(answer.status);
    return answer.json()[kind];
  });
}

export function drawSharing({ phases }) {
  byId("share").parentElement.hidden = !phases.some((phase) => phase.is_begun);
}
