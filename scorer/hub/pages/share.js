// Texts for a messenger: shared by the browser, or copied; where it can do neither, marked to be copied.

const KINDS = ["pairings", "results", "standings"];

// Buttons in `place`, one for each kind. `read(kind)` resolves to a text, "" for none.
export function setUpShare(place, say, read, kinds = KINDS) {
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  const field = document.createElement("textarea");
  field.readOnly = true;
  field.hidden = true;
  field.setAttribute("aria-label", say("hub.share"));
  for (const kind of kinds) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.dataset.name = kind;
    button.textContent = say(`hub.share.${kind}`);
    button.addEventListener("click", () =>
      read(kind).then(
        (text) => offer(text, said, field, say),
        () => (said.textContent = say("hub.offline"))
      )
    );
    buttons.appendChild(button);
  }
  for (const each of [buttons, said, field]) place.appendChild(each);
}

function offer(text, said, field, say) {
  field.hidden = !text;
  field.value = text;
  field.rows = Math.min(text.split("\n").length + 1, 16);
  said.textContent = text ? say("hub.share.copy") : say("hub.share.none");
  if (!text) return;
  field.focus();
  field.select();
  // Both are there where the page has HTTPS alone; who closes the sheet finds the text marked.
  if (navigator.share) navigator.share({ text }).catch(() => copy(text, said, say));
  else copy(text, said, say);
}

function copy(text, said, say) {
  if (!navigator.clipboard) return;
  navigator.clipboard.writeText(text).then(
    () => (said.textContent = say("hub.share.copied")),
    () => {}
  );
}
