// A screen that shows page after page by itself: space pauses, the arrows turn.

const TURN = 12; // seconds for which a page stands
const SHORT_TURN = 8; // seconds where there are many
const AGAIN = 60; // seconds after which pages of `isUrgent` are shown again

const modulo = (slot, count) => ((slot % count) + count) % count;

// How long a page stands, and how many of the other pages are shown between those that are urgent.
function paceOf(pages) {
  const urgent = pages.filter(({ isUrgent }) => isUrgent).length;
  const most = urgent + (pages.length > urgent ? 1 : 0);
  const seconds = most * TURN > AGAIN ? SHORT_TURN : TURN;
  return { seconds, between: urgent ? Math.max(1, Math.floor(AGAIN / seconds) - urgent) : pages.length };
}

// The page of a slot: the urgent pages, some of the others, the urgent ones again, and so on.
function pageAt(pages, slot) {
  const urgent = pages.filter(({ isUrgent }) => isUrgent);
  const others = pages.filter(({ isUrgent }) => !isUrgent);
  const { between } = paceOf(pages);
  if (between >= others.length) return pages[modulo(slot, pages.length)];
  const round = urgent.length + between;
  const place = modulo(slot, round);
  if (place < urgent.length) return urgent[place];
  return others[modulo(Math.floor(slot / round) * between + place - urgent.length, others.length)];
}

// Equal parts of a list, of at most `most` each.
export function parts(list, most) {
  const count = Math.ceil(list.length / most);
  const size = Math.ceil(list.length / Math.max(1, count));
  return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
}

// draw(page, at, count, isPaused) shows a page. Returns a function that takes the newest pages, at least
// one: {key, isUrgent, ...}. One that is shown stays until its time is over.
export function turnPages(draw) {
  let pages = [];
  let slot = 0;
  let key = null;
  let isPaused = false;
  let timer = 0;

  const show = () => {
    const at = pages.findIndex((page) => page.key === key);
    draw(pages[at], at, pages.length, isPaused);
  };

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => (isPaused ? wait() : turn(1)), 1000 * paceOf(pages).seconds);
  }

  function turn(by) {
    slot += by;
    ({ key } = pageAt(pages, slot));
    wait();
    show();
  }

  document.addEventListener("keydown", ({ key: pressed }) => {
    if (!pages.length) return;
    if (pressed === " ") {
      isPaused = !isPaused;
      show();
    } else if (pressed === "ArrowRight") turn(1);
    else if (pressed === "ArrowLeft") turn(-1);
  });
  return (next) => {
    pages = next;
    if (pages.some((page) => page.key === key)) show();
    else turn(0);
  };
}
