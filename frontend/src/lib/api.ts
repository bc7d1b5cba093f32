// Calls of the HTTP API, typed by the OpenAPI document.
import { SaegimProblem, Unreachable, problemOf } from "$client/errors.ts";
import type { Operations } from "$client/types.ts";
import { boot } from "./boot.svelte.ts";
import { currentLanguage, t } from "./texts.ts";

export { SaegimProblem, Unreachable };
export type * from "$client/types.ts";

export interface CallOptions<Body> {
  path?: Record<string, string>;
  /** Empty, null and undefined values are left out. */
  query?: Record<string, string | number | boolean | null | undefined>;
  headers?: Record<string, string>;
  body?: Body;
  signal?: AbortSignal;
}

/** How requests reach the server: the pages use their cookie, the widget a token. */
export interface Transport {
  base: string;
  credentials: RequestCredentials;
  headers(): Promise<Record<string, string>> | Record<string, string>;
  /** Get new credentials after a 401; false if there are none. */
  renew?(): Promise<boolean>;
  /** Called after each request that may have changed something. */
  changed?(): void;
}

const pages: Transport = {
  base: "",
  credentials: "same-origin",
  headers: () => ({ "Saegim-Csrf": boot().csrf }),
};
let transport = pages;

/** Call back after each successful request of the pages that is no GET. */
export function whenChanged(changed: () => void): void {
  pages.changed = changed;
}

export function useTransport(other: Transport): void {
  transport = other;
}

/** Call an operation by its method and path as in the OpenAPI document: `call("GET /v1/me")`. */
export async function call<Name extends keyof Operations>(
  name: Name,
  options: CallOptions<Operations[Name]["body"]> = {},
): Promise<Operations[Name]["response"]> {
  const response = await send(name, options);
  const text = await response.text();
  const json = (response.headers.get("content-type") ?? "").includes("json");
  return (json && text !== "" ? JSON.parse(text) : undefined) as Operations[Name]["response"];
}

/** Send a request. Throws SaegimProblem if the server refuses, Unreachable without an answer. */
export async function send(
  name: string,
  options: CallOptions<unknown> = {},
  renewed = false,
): Promise<Response> {
  const { url, init } = await request(name, options);
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable(t("Cannot reach the server."));
  }
  if (response.ok) {
    if (init.method !== "GET") transport.changed?.();
    return response;
  }
  if (response.status === 401 && !renewed && (await transport.renew?.())) return send(name, options, true);
  throw await problemOf(response);
}

async function request(
  name: string,
  options: CallOptions<unknown>,
): Promise<{ url: string; init: RequestInit }> {
  const [method = "GET", template = ""] = name.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(options.path?.[part] ?? ""),
  );
  const given = Object.entries(options.query ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  const headers: Record<string, string> = {
    "Accept-Language": currentLanguage(),
    ...(await transport.headers()),
    ...options.headers,
  };
  const init: RequestInit = { method, headers, credentials: transport.credentials };
  if (options.signal !== undefined) init.signal = options.signal;
  if (options.body instanceof Blob || options.body instanceof Uint8Array) {
    init.body = options.body as BodyInit;
  } else if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  return { url: `${transport.base}${path}${query && `?${query}`}`, init };
}

/** Return a sentence about an error, for a toast or beside a field. */
export function errorText(error: unknown): string {
  if (error instanceof SaegimProblem) {
    if (error.status === 401) return t("Your session has expired. Sign in again.");
    return error.message;
  }
  if (error instanceof Unreachable) return error.message;
  return t("Something went wrong. Try again.");
}
