// The stored turns of a conversation, read page by page from its end.
import { call } from "$lib/api.ts";
import { Turn, type StoredTurn } from "./turn.svelte.ts";

const PAGE = 30;
const NEWEST = 2 ** 31 - 1;
const MEMORY_LOOKS = 20;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Read the newest turns, or those before a number, oldest first. */
export async function readPage(
  session: string,
  before = NEWEST,
): Promise<{ turns: StoredTurn[]; older: boolean }> {
  const page = await call("GET /v1/sessions/{session_id}/turns", {
    path: { session_id: session },
    query: { before, count: PAGE },
  });
  return { turns: page.turns, older: (page.next_before ?? null) !== null };
}

/** Return the ids of a turn and of what continues it. */
export function turnIds(turn: Turn): string[] {
  return [turn, ...turn.continuations].flatMap((part) => (part.id ? [part.id] : []));
}

/** Return turns with continuations in their places; turns that are known keep what is shown of them. */
export function assembled(stored: readonly StoredTurn[], known: readonly Turn[]): Turn[] {
  const shown: Turn[] = [];
  const byId = new Map(known.map((turn) => [turn.id, turn]));
  for (const each of stored) {
    const base = each.continues
      ? shown.find((turn) => turnIds(turn).includes(each.continues ?? ""))
      : undefined;
    if (base) {
      const part = base.continuations.find((one) => one.id === each.turn_id);
      if (part) part.update(each);
      else base.continuations.push(Turn.of(each));
      continue;
    }
    const turn = byId.get(each.turn_id);
    turn?.update(each);
    shown.push(turn ?? Turn.of(each));
  }
  return shown;
}

/** Look for what was remembered from a turn, which a worker reads a little later. */
export async function watchMemory(turn: Turn): Promise<void> {
  if (turn.state === "failed" || !turn.id) return;
  for (let looks = 0; looks < MEMORY_LOOKS; looks += 1) {
    await wait(looks < 5 ? 600 : 2000);
    try {
      const found = await call("GET /v1/turns/{turn_id}/memories", { path: { turn_id: turn.id } });
      if (found.reading === "waiting") continue;
      turn.did(
        found.remembered.map((each) => ({ kind: "remembered", id: each.memory_id, text: each.content })),
      );
    } catch {
      // Without an answer nothing is said about memory.
    }
    return;
  }
}
