// Starts a turn and follows its events to the end, over as many connections as it takes.
import { sentEvents, turnEvent, type TurnEvent } from "$client/events.ts";
import { SaegimProblem, send, Unreachable, type CallOptions } from "$lib/api.ts";

/** The server sends a heartbeat every ten seconds: longer silence is a broken connection. */
const SILENCE_MS = 14_000;
const RETRIES = 6;

export interface TurnListener {
  opened(turnId: string, sessionId: string): void;
  heard(event: TurnEvent): void;
  /** The connection broke and is tried again, or is back. */
  connection(lost: boolean): void;
}

/** A request that begins a turn. It has an idempotency key, so that it can be sent again. */
export interface TurnRequest {
  name: string;
  options: CallOptions<unknown>;
}

/** Wait before a retry; shorter if the browser finds the network again. */
function pause(tries: number): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      removeEventListener("online", over);
      resolve();
    };
    const timer = setTimeout(over, Math.min(5000, 300 * 2 ** tries));
    addEventListener("online", over);
  });
}

/** Begin a turn and hear it to its end. Throws what the server refused, or Unreachable. */
export async function runTurn(request: TurnRequest, listener: TurnListener): Promise<void> {
  const headers = { Accept: "text/event-stream", ...request.options.headers };
  let response: Response | undefined;
  for (let tries = 0; response === undefined; tries += 1) {
    try {
      response = await send(request.name, { ...request.options, headers });
    } catch (error) {
      if (!(error instanceof Unreachable) || tries >= RETRIES) throw error;
      listener.connection(true);
      await pause(tries);
    }
  }
  listener.connection(false);
  const id = response.headers.get("Saegim-Turn") ?? "";
  listener.opened(id, response.headers.get("Saegim-Session") ?? "");
  const position = { last: "" };
  if (!(await hear(response, position, listener))) await followTurn(id, listener, position);
}

/** Hear a turn that was begun, from a position or from its beginning. */
export async function followTurn(
  id: string,
  listener: TurnListener,
  position: { last: string } = { last: "" },
): Promise<void> {
  if (position.last === "") listener.heard({ type: "restart" });
  for (let tries = 0; tries < RETRIES; tries += 1) {
    if (tries > 0 || position.last !== "") listener.connection(true);
    try {
      const headers: Record<string, string> = position.last ? { "Last-Event-ID": position.last } : {};
      const response = await send("GET /v1/turns/{turn_id}/events", { path: { turn_id: id }, headers });
      listener.connection(false);
      const before = position.last;
      if (await hear(response, position, listener)) return;
      if (position.last !== before) tries = 0;
    } catch (error) {
      if (error instanceof SaegimProblem && (error.status ?? 500) < 500) throw error;
    }
    listener.connection(true);
    await pause(tries);
  }
  throw new Unreachable("");
}

/** Hear events until the turn is over; false if the connection broke before. */
async function hear(
  response: Response,
  position: { last: string },
  listener: TurnListener,
): Promise<boolean> {
  if (!response.body) return false;
  const broken = new AbortController();
  const bytes = watched(response.body, broken.signal, () => broken.abort());
  try {
    for await (const sent of sentEvents(bytes)) {
      if (sent.event === "error") throw new SaegimProblem({ status: 503, ...JSON.parse(sent.data) });
      if (sent.id && sent.event === "token") position.last = sent.id;
      const event = turnEvent(sent);
      if (!event) continue;
      listener.heard(event);
      if (event.type === "done") return true;
    }
  } catch (error) {
    if (error instanceof SaegimProblem) throw error;
  } finally {
    broken.abort();
  }
  return false;
}

/** The same bytes, ending when nothing arrives for too long or the network is gone. */
function watched(
  bytes: ReadableStream<Uint8Array>,
  over: AbortSignal,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  let timer = setTimeout(stop, SILENCE_MS);
  addEventListener("offline", stop, { signal: over });
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    over.addEventListener("abort", () => resolve({ done: true, value: undefined }));
  });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      clearTimeout(timer);
      if (done || value === undefined) {
        controller.close();
        void reader.cancel().catch(() => undefined);
        return;
      }
      timer = setTimeout(stop, SILENCE_MS);
      controller.enqueue(value);
    },
    cancel() {
      clearTimeout(timer);
      return reader.cancel().catch(() => undefined);
    },
  });
}
