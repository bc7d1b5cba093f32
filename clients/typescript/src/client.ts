import { SaegimProblem, Unreachable, problemOf } from "./errors.ts";
import { sentEvents, turnEvent } from "./events.ts";
import type { TurnEvent } from "./events.ts";
import type { ChatBody, ChatReply, MemoryView, Operations, RecollectionView, SearchView } from "./types.ts";

const TRY_AGAIN = new Set([502, 503, 504]);
const UNAVAILABLE = new Set(["unavailable", "store_unavailable", "model_unavailable", "degraded"]);

/** Who speaks, and how. A key that is bound to one user takes no `user`. */
export interface ClientOptions {
  user?: string;
  profile?: string;
  session?: string;
  language?: "ko" | "en";
  retries?: number;
  firstPauseMs?: number;
  fetch?: typeof fetch;
}

/** Address and key with the options, under the names of this client or of most others. */
export type ConnectionOptions = ClientOptions &
  ({ url: string } | { baseUrl: string }) &
  ({ key: string } | { apiKey: string });

/** What goes into the path, the query and the headers of a call, and its body. */
export interface CallOptions<Body> {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string> | undefined;
  body?: Body;
  signal?: AbortSignal;
}

/** `ifMatch` for the operations that take it: the `etag` of what was read. */
type Matching<Name extends keyof Operations> = Operations[Name]["ifMatch"] extends true
  ? { ifMatch?: string }
  : { ifMatch?: never };

/** An answer with its ETag, and with where the next page of a list that is an array begins. */
export interface Read<Value> {
  value: Value;
  etag: string | undefined;
  before: string | undefined;
}

export interface ChatOptions extends Omit<ChatBody, "message" | "stream"> {
  session?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Talks to one server with one key. Every call may be repeated: a lost connection doubles nothing. */
export class SaegimClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #session: string | undefined;
  readonly #retries: number;
  readonly #firstPauseMs: number;
  readonly #fetch: typeof fetch;

  constructor(connection: ConnectionOptions);
  constructor(url: string, key: string, options?: ClientOptions);
  constructor(first: string | ConnectionOptions, second = "", others: ClientOptions = {}) {
    const options = typeof first === "string" ? others : first;
    const url = typeof first === "string" ? first : "url" in first ? first.url : first.baseUrl;
    const key = typeof first === "string" ? second : "key" in first ? first.key : first.apiKey;
    this.#url = url.replace(/\/$/, "");
    this.#headers = { Authorization: `Bearer ${key}` };
    if (options.user !== undefined) this.#headers["Saegim-User"] = encodeURIComponent(options.user);
    if (options.profile !== undefined) {
      this.#headers["Saegim-Profile"] = encodeURIComponent(options.profile);
    }
    if (options.language !== undefined) this.#headers["Accept-Language"] = options.language;
    this.#session = options.session;
    this.#retries = options.retries ?? 4;
    this.#firstPauseMs = options.firstPauseMs ?? 250;
    this.#fetch = options.fetch ?? fetch;
  }

  /** Any operation of the API, by its method and path as the OpenAPI document has them. */
  async call<Name extends keyof Operations>(
    name: Name,
    options: CallOptions<Operations[Name]["body"]> & Matching<Name> = {} as never,
  ): Promise<Operations[Name]["response"]> {
    return (await this.read(name, options)).value;
  }

  /** The same with the headers that another call goes on with. */
  async read<Name extends keyof Operations>(
    name: Name,
    options: CallOptions<Operations[Name]["body"]> & Matching<Name> = {} as never,
  ): Promise<Read<Operations[Name]["response"]>> {
    const { ifMatch, ...rest } = options;
    const headers = ifMatch === undefined ? rest.headers : { ...rest.headers, "If-Match": ifMatch };
    const response = await this.#answered(name, { ...rest, headers });
    const json = (response.headers.get("content-type") ?? "").includes("json");
    const text = await response.text();
    const next = /[?&]before=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get("link") ?? "");
    return {
      value: (json && text !== "" ? JSON.parse(text) : undefined) as Operations[Name]["response"],
      etag: response.headers.get("etag") ?? undefined,
      before: next?.[1],
    };
  }

  /** The answer to one message. */
  async chat(message: string, options: ChatOptions = {}): Promise<ChatReply> {
    const { body, headers, signal } = this.#turn(message, options);
    return await this.call("POST /v1/chat", { body, headers, signal });
  }

  /** The answer as it is written, ending with `done`; goes on by itself where it broke off. */
  async *stream(message: string, options: ChatOptions = {}): AsyncGenerator<TurnEvent> {
    const { body, headers, signal } = this.#turn(message, options);
    let turn: string | undefined;
    let last: string | undefined;
    let failures = 0;
    while (true) {
      try {
        const response = turn === undefined
          ? await this.#answered("POST /v1/chat", { body: { ...body, stream: true }, headers, signal })
          : await this.#rest(turn, last, signal);
        if (turn === undefined) {
          turn = response.headers.get("saegim-turn") ?? "";
          yield { type: "opened", turnId: turn, sessionId: response.headers.get("saegim-session") ?? "" };
        }
        for await (const sent of sentEvents(response.body!)) {
          if (sent.event === "error") throw cut(JSON.parse(sent.data));
          const event = turnEvent(sent);
          if (event === undefined) continue;
          failures = 0;
          last = sent.id || last;
          yield event;
          if (event.type === "done") return;
        }
        throw new Unreachable("the stream ended before its turn");
      } catch (error) {
        if (error instanceof SaegimProblem || signal?.aborted) throw error;
        failures += 1;
        if (failures > this.#retries) throw error;
        await this.#pause(failures);
      }
    }
  }

  /** Passages that we may read, best first. */
  async search(query: string): Promise<SearchView> {
    return await this.call("POST /v1/search", { body: { query } });
  }

  /** Remembers a statement about the user. */
  async remember(content: string): Promise<MemoryView> {
    return await this.call("POST /v1/memories", { body: { content } });
  }

  /** What memory has to a message, and why. */
  async recall(message: string): Promise<RecollectionView> {
    return await this.call("POST /v1/recall", { body: { message } });
  }

  #turn(message: string, options: ChatOptions) {
    const { session, idempotencyKey, signal, ...rest } = options;
    const headers: Record<string, string> = {
      "Idempotency-Key": idempotencyKey ?? randomKey(),
    };
    const named = session ?? this.#session;
    if (named !== undefined) headers["Saegim-Session"] = encodeURIComponent(named);
    return { body: { message, ...rest } as ChatBody, headers, signal };
  }

  async #rest(turn: string, last: string | undefined, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
    return await this.#answered("GET /v1/turns/{turn_id}/events", {
      path: { turn_id: turn },
      headers,
      signal,
    });
  }

  /** A good response, however many tries it takes. */
  async #answered(name: string, options: CallOptions<unknown>): Promise<Response> {
    const { url, init } = this.#request(name, options);
    let failures = 0;
    while (true) {
      let problem: Error;
      try {
        const response = await this.#fetch(url, init);
        if (response.ok) return response;
        problem = await problemOf(response);
        const soon = response.status === 429 && Number(response.headers.get("retry-after")) <= 10;
        if (!TRY_AGAIN.has(response.status) && !soon) throw problem;
      } catch (error) {
        if (error instanceof SaegimProblem || options.signal?.aborted) throw error;
        problem = new Unreachable(String(error));
      }
      failures += 1;
      if (failures > this.#retries) throw problem;
      await this.#pause(failures);
    }
  }

  #request(name: string, options: CallOptions<unknown>): { url: string; init: RequestInit } {
    const [method, template] = name.split(" ") as [string, string];
    const path = template.replace(/\{(\w+)\}/g, (_, part: string) =>
      encodeURIComponent(options.path?.[part] ?? ""));
    const query = new URLSearchParams(
      Object.entries(options.query ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const headers: Record<string, string> = { ...this.#headers, ...options.headers };
    const init: RequestInit = { method, headers };
    if (options.signal !== undefined) init.signal = options.signal;
    if (options.body instanceof Uint8Array) {
      init.body = options.body as BodyInit;
    } else if (options.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    const search = query.toString();
    return { url: `${this.#url}${path}${search && `?${search}`}`, init };
  }

  async #pause(failures: number): Promise<void> {
    const wanted = this.#firstPauseMs * 2 ** (failures - 1);
    await new Promise((done) => setTimeout(done, Math.min(wanted, 10_000)));
  }
}

/** A key that no other message has. Node 18 and pages without TLS have no `randomUUID`. */
function randomKey(): string {
  const random = () => Math.random().toString(36).slice(2);
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${random()}${random()}`;
}

/** What ends a stream but not its turn may be tried again; the rest is the server's word. */
function cut(error: { code: string; title: string }): Error {
  return UNAVAILABLE.has(error.code) ? new Unreachable(error.title) : new SaegimProblem(error);
}
