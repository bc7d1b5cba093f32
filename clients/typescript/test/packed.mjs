// Uses the installed package, as a program does; prints what it found as JSON.
import { Changed, SaegimClient, SaegimProblem } from "@saegim/client";

const [url, key] = process.argv.slice(2);
const options = { user: `노드 ${process.version}`, retries: 8, firstPauseMs: 20 };
const client = new SaegimClient({ url, key, ...options });
for (const other of [new SaegimClient(url, key, options), new SaegimClient({ baseUrl: url, apiKey: key, ...options })]) {
  await other.call("GET /v1/me");
}
const first = await client.chat("예약 인스턴스 할인율은?");
let streamed = "";
for await (const event of client.stream("예약 인스턴스 할인율은?", { session_id: first.session_id })) {
  if (event.type === "restart") streamed = "";
  if (event.type === "token") streamed += event.text;
  if (event.type === "done" && event.reply.session_id !== first.session_id) throw new Error("another session");
}
const page = await client.call("GET /v1/memories", { query: { count: 1 } });
let code = "";
try {
  await client.call("GET /v1/memories/{memory_id}", { path: { memory_id: first.turn_id } });
} catch (error) {
  if (error instanceof SaegimProblem && !(error instanceof Changed)) code = error.code;
}
console.log(JSON.stringify({
  node: process.versions.node,
  answer: first.answer,
  citation: first.citations[0],
  streamed,
  listed: page.memories.length,
  code,
}));
