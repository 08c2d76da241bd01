// What the board asks the table in another tab of this browser, in place of a server.

// There is no page of a game: the table's page saves score sheets.
export const SHARES_GAMES = false;

const ALIVE = 5000; // milliseconds between two signs of life
const PATIENCE = 5000; // milliseconds for an answer
const channel = new BroadcastChannel(`truco ${new URL("..", import.meta.url).pathname}`);
let asked = 0;

// The language is in the address, or that of the page.
document.documentElement.lang = new URLSearchParams(location.search).get("lang") || document.documentElement.lang;

// As an EventSource that is never refused: a table that is closed is silent.
class TableEvents extends EventTarget {
  constructor(query) {
    super();
    this.CLOSED = 2;
    this.readyState = 1;
    this.listen = ({ data }) => {
      if (data.query === query) this.dispatchEvent(new MessageEvent(data.event, { data: data.data }));
    };
    this.ask = () => channel.postMessage({ watch: query });
    channel.addEventListener("message", this.listen);
    this.timer = setInterval(this.ask, ALIVE);
    this.ask();
  }

  close() {
    clearInterval(this.timer);
    channel.removeEventListener("message", this.listen);
  }
}

export const openEvents = (query) => new TableEvents(query);

export function load(path) {
  asked += 1;
  const id = `${performance.timeOrigin} ${asked}`;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(reject, new Error("the table does not answer")), PATIENCE);
    const listen = ({ data }) => data.id === id && done(resolve, JSON.parse(data.data));
    function done(settle, value) {
      clearTimeout(timer);
      channel.removeEventListener("message", listen);
      settle(value);
    }
    channel.addEventListener("message", listen);
    channel.postMessage({ load: path, id });
  });
}
