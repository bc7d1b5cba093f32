// Keeps the static files of this release, and shows a page when the server cannot be reached.
// Nothing of the API and no page with data is kept.
const CACHE = "saegim-__VERSION__";
const OFFLINE = "/offline";

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(__FILES__))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
});

async function kept(request) {
  const found = await caches.match(request);
  if (found) return found;
  const response = await fetch(request);
  // Files of another release are not marked as immutable.
  if (response.ok && (response.headers.get("Cache-Control") ?? "").includes("immutable")) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone());
  }
  return response;
}
