// Server-sent events cut at every byte give the same events.
import { sentEvents } from "../src/events.ts";

const text = ": heartbeat\n\nevent: token\nid: 1-2\ndata: {\"text\":\"한글 👩‍👩‍👧\"}\n\r\n"
  + "event: done\r\nid: 1-9\r\ndata: {\"a\":1,\ndata: \"b\":2}\r\n\r\n";
const bytes = new TextEncoder().encode(text);

async function read(size: number): Promise<string> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const found = [];
  for await (const event of sentEvents(source)) found.push(event);
  return JSON.stringify(found);
}

const whole = await read(bytes.length);
const sizes = Array.from({ length: bytes.length }, (_, index) => index + 1);
const same = (await Promise.all(sizes.map(read))).every((found) => found === whole);
console.log(JSON.stringify({ same, events: JSON.parse(whole) }));
