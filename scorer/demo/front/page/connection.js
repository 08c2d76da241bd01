// The way to the demo: looks come as they are, fingers go out in their order.

const AGAIN = 2000; // milliseconds before a stream that was refused is asked for again

// `on`: {hello(told), look(told), lost(isLost)}. Gives {finger(line, isDown), plug(what)}.
export function wire(on) {
  let name = ""; // how this page is known there
  let edges = [];
  let sending = false;

  function connect() {
    const stream = new EventSource("/looks");
    stream.addEventListener("hello", (event) => {
      const told = JSON.parse(event.data);
      name = told.finger;
      // What was pressed while nobody listened is not pressed now.
      edges = [];
      on.lost(false);
      on.hello(told);
    });
    stream.addEventListener("look", (event) => on.look(JSON.parse(event.data)));
    stream.onerror = () => {
      name = "";
      on.lost(true);
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN);
    };
  }

  // One request at a time: two could overtake each other, and a button would stay down.
  async function send() {
    if (sending) return;
    sending = true;
    // Fingers that go down together are told together: two TANTOS are another thing than one.
    await null;
    while (edges.length && name) {
      const told = edges;
      edges = [];
      await post("/fingers", { finger: name, edges: told });
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

async function post(path, told) {
  try {
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(told),
    });
  } catch {
    // The stream tells that the demo has gone.
  }
}
