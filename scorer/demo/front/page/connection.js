// Connection to the demo: receives states as events, sends button edges in order.

const AGAIN = 2000; // milliseconds before a refused stream is requested again

// `on`: {hello(message), look(state), lost(isLost)}. Returns {finger(line, isDown), plug(what)}.
export function wire(on) {
  let name = ""; // the id of this page at the server
  let edges = [];
  let sending = false;

  function connect() {
    const stream = new EventSource("/looks");
    stream.addEventListener("hello", (event) => {
      const message = JSON.parse(event.data);
      name = message.finger;
      // Drop presses made while disconnected.
      edges = [];
      on.lost(false);
      on.hello(message);
    });
    stream.addEventListener("look", (event) => on.look(JSON.parse(event.data)));
    stream.onerror = () => {
      name = "";
      on.lost(true);
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN);
    };
  }

  // One request at a time: concurrent ones could be reordered, and a button would stay down.
  async function send() {
    if (sending) return;
    sending = true;
    // Simultaneous presses are sent together: both TANTOS differ from one after the other.
    await null;
    while (edges.length && name) {
      const sent = edges;
      edges = [];
      await post("/fingers", { finger: name, edges: sent });
    }
    sending = false;
  }

  function finger(line, isDown) {
    if (!name) return;
    edges.push([performance.now(), line, isDown]);
    send();
  }

  connect();
  return { finger, plug: (what) => post("/plugs", what) };
}

async function post(path, data) {
  try {
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(data),
    });
  } catch {
    // The stream reports that the demo has ended.
  }
}
