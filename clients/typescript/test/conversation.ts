// A conversation of three turns with a running server; prints what it found as JSON.
import { Changed, SaegimClient, SaegimProblem } from "../src/index.ts";

// With `--bound` the key is bound to one user and names nobody; the question is the example's.
const [url, key, bound] = process.argv.slice(2) as [string, string, string | undefined];
const client = new SaegimClient(url, key, {
  ...(bound ? {} : { user: "타입" }), session: "타입스크립트", retries: 8, firstPauseMs: 20,
});
const question = bound ? "팀 요금제는 한 달에 얼마예요?" : "예약 인스턴스 할인율은?";

const first = await client.chat("제 서버 이름은 설악입니다");
let streamed = "";
let citations: string[] = [];
let opened = "";
for await (const event of client.stream(question)) {
  if (event.type === "opened") opened = event.turnId;
  if (event.type === "restart") streamed = "";
  if (event.type === "token") streamed += event.text;
  if (event.type === "done") {
    const cited = event.reply.citations ?? [];
    citations = cited.filter((each) => each.kind === "passage").map((each) => each.id);
  }
}
const third = await client.chat("제 서버 이름이 뭐라고 했죠?");
const turn = await client.call("GET /v1/turns/{turn_id}", { path: { turn_id: opened } });
const memory = await client.remember("등산을 좋아한다");
const recalled = await client.recall("등산");
const page = await client.call("GET /v1/memories", { query: { count: 1 } });
const found = await client.search("예약 인스턴스");
const path = { memory_id: memory.memory_id };
const seen = await client.read("GET /v1/memories/{memory_id}", { path });
const ifMatch = seen.etag ?? "";
await client.call("PATCH /v1/memories/{memory_id}", { path, body: { content: "등산" }, ifMatch });
let changed = false;
try {
  await client.call("PATCH /v1/memories/{memory_id}", { path, body: { content: "수영" }, ifMatch });
} catch (error) {
  changed = error instanceof Changed && error.status === 412;
}
await client.call("DELETE /v1/memories/{memory_id}", { path });
let code = "";
try {
  await client.call("GET /v1/memories/{memory_id}", { path: { memory_id: crypto.randomUUID() } });
} catch (error) {
  if (error instanceof SaegimProblem) code = error.code;
}

console.log(JSON.stringify({
  sessions: [first.session_id, third.session_id],
  third: third.answer,
  streamed,
  stored: turn.answer,
  citations,
  recalled: recalled.records.map((each) => each.text),
  listed: page.memories.length,
  found: found.found.map((each) => each.passage_id),
  code,
  changed,
}));
