import type { ChatReply, CitationView } from "./types.ts";

/** What a streamed turn tells, in order; the last one is `done`. */
export type TurnEvent =
  | { type: "opened"; turnId: string; sessionId: string }
  | { type: "status"; phase: string }
  | { type: "token"; text: string }
  | { type: "citation"; citation: CitationView }
  | { type: "memory"; memories: CitationView[] }
  | { type: "restart" }
  | { type: "done"; reply: ChatReply };

/** One server-sent event, as it stands in the stream. */
export interface Sent {
  event: string;
  id: string;
  data: string;
}

/** The events of a stream of bytes, wherever it is cut: characters and lines are put together. */
export async function* sentEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Sent> {
  const decoder = new TextDecoder("utf-8");
  const reader = bytes.getReader();
  let waiting = "";
  let event = "";
  let id = "";
  let data: string[] = [];
  try {
    while (true) {
      const { value, done } = await reader.read();
      waiting += decoder.decode(value, { stream: !done });
      const lines = waiting.split(/\r\n|\n|\r(?!$)/);
      waiting = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event: event || "message", id, data: data.join("\n") };
          event = "";
          data = [];
          continue;
        }
        if (line.startsWith(":")) continue;
        const at = line.indexOf(":");
        const name = at < 0 ? line : line.slice(0, at);
        const text = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
        if (name === "event") event = text;
        else if (name === "id") id = text;
        else if (name === "data") data.push(text);
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** An event of ours; undefined for one that a newer server may send. */
export function turnEvent(sent: Sent): TurnEvent | undefined {
  const data = JSON.parse(sent.data);
  switch (sent.event) {
    case "status":
      return { type: "status", phase: data.phase };
    case "token":
      return { type: "token", text: data.text };
    case "citation":
      return { type: "citation", citation: data };
    case "memory":
      return { type: "memory", memories: data.memories };
    case "restart":
      return { type: "restart" };
    case "done":
      return { type: "done", reply: data };
    default:
      return undefined;
  }
}
