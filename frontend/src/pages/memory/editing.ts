// Reads and saves what the editor of a memory changes: one's own, or one that the team shares.
import { send, type MemoryType, type MemoryView, type TeamMemoryView } from "$lib/api.ts";

export type Correction = { content: string; type: MemoryType; importance?: number };
export type Headers = Record<string, string>;

export function readMemory(id: string): Promise<Response> {
  return send("GET /v1/memories/{memory_id}", { path: { memory_id: id } });
}

export async function saveMemory(id: string, body: Correction, headers: Headers): Promise<MemoryView> {
  const path = { memory_id: id };
  const response = await send("PATCH /v1/memories/{memory_id}", { path, headers, body });
  return (await response.json()) as MemoryView;
}

export function readShared(id: string): Promise<Response> {
  return send("GET /v1/team-memory/{team_memory_id}", { path: { team_memory_id: id } });
}

export async function saveShared(id: string, body: Correction, headers: Headers): Promise<TeamMemoryView> {
  const path = { team_memory_id: id };
  const response = await send("PATCH /v1/team-memory/{team_memory_id}", { path, headers, body });
  return (await response.json()) as TeamMemoryView;
}
