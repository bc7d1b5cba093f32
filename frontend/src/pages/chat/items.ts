// Memories by what they say: a trace has their ids only, and nothing of what was said.
import { call, type ItemView } from "$lib/api.ts";

export async function namedItems(items: readonly ItemView[]): Promise<ItemView[]> {
  return Promise.all(
    items.map(async (item) => {
      if (item.kind !== "memory") return item;
      try {
        if (item.turn) {
          const turn = await call("GET /v1/turns/{turn_id}", { path: { turn_id: item.turn } });
          return { ...item, kind: "episode", title: turn.message };
        }
        if (item.team) {
          const path = { team_memory_id: item.id };
          const shared = await call("GET /v1/team-memory/{team_memory_id}", { path });
          return { ...item, title: shared.content };
        }
        const memory = await call("GET /v1/memories/{memory_id}", { path: { memory_id: item.id } });
        return { ...item, title: memory.content };
      } catch {
        // Forgotten since: its title is all that is left.
        return item;
      }
    }),
  );
}
