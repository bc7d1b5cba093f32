// One streamed answer, over a line that may break; prints what came through.
import { SaegimClient } from "../src/index.ts";

const [url, key] = process.argv.slice(2) as [string, string];
const client = new SaegimClient(url, key, { user: "끊김", retries: 8, firstPauseMs: 20 });
let streamed = "";
let done = 0;
for await (const event of client.stream("예약 인스턴스 할인율은?")) {
  if (event.type === "restart") streamed = "";
  if (event.type === "token") streamed += event.text;
  if (event.type === "done") done += 1;
}
console.log(JSON.stringify({ streamed, done }));
