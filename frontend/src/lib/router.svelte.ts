// The address of the page. Links inside the application change it without loading the page again.

/** First parts of the paths that this application shows; others are loaded from the server. */
let pages = new Set<string>();

export const route = $state({ path: location.pathname, query: location.search, hash: location.hash });

/** Return the parts of the path: `/settings/models` is `["settings", "models"]`. */
export function segments(): string[] {
  return route.path.split("/").filter(Boolean).map(decodeURIComponent);
}

export function queryValue(name: string): string | null {
  return new URLSearchParams(route.query).get(name);
}

/** Go to an address of this application, or load one of the server. */
export function navigate(address: string, { replace = false } = {}): void {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || !pages.has(url.pathname.split("/")[1] ?? "")) {
    location.assign(url);
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", url);
  read();
}

/** Change the query of the current page; null removes a value. */
export function setQuery(values: Record<string, string | null>): void {
  const query = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(`${route.path}${text && `?${text}`}`, { replace: true });
}

function read(): void {
  route.path = location.pathname;
  route.query = location.search;
  route.hash = location.hash;
}

function follow(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!pages.has(link.pathname.split("/")[1] ?? "")) return;
  event.preventDefault();
  navigate(link.href);
}

/** Follow links and the browser's back and forward buttons. */
export function startRouter(names: Iterable<string>): void {
  pages = new Set(names);
  addEventListener("popstate", read);
  document.addEventListener("click", follow);
}
