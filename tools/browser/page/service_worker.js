// Keeps the files of the page, so that it starts without a network. A new version has other files.

// Written by the build: the version, what the page shows before the table is downloaded, all else.
const { version, shell, rest } = JSON.parse('{{files}}');
const NAME = `truco ${new URL(".", location).pathname} `; // of the caches of this folder

self.addEventListener("install", (event) => event.waitUntil(keep(shell)));

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

// The table is shown: what it does not need at once, the board, comes last.
self.addEventListener("message", (event) => {
  if (event.data === "rest") event.waitUntil(keep(rest));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(new URL(".", location).href)) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(NAME + version);
  const url = request.url.split(/[?#]/)[0].replace(/\/index\.html$/, "/");
  const kept = await cache.match(url);
  if (kept) return kept;
  const response = await fetch(request.mode === "navigate" ? request : fresh(url));
  if (response.ok) await cache.put(url, response.clone());
  return response;
}

async function keep(paths) {
  const cache = await caches.open(NAME + version);
  await Promise.all(
    paths.map(async (path) => {
      if (await cache.match(path)) return;
      const response = await fetch(fresh(path));
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(path, response);
    }),
  );
}

// Asks the server whether a file has changed: no two versions are mixed.
const fresh = (url) => new Request(url, { cache: "no-cache" });

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(NAME) && name !== NAME + version).map((name) => caches.delete(name)));
}
