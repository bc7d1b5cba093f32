// What the next messages take along: memory on or off, memories and documents that were put in.
import { call } from "$lib/api.ts";
import type { Sending } from "$lib/conversation/conversation.svelte.ts";
import type { Chip } from "./Chips.svelte";

export class MessageContext {
  useMemory = $state(true);
  usePinned = $state(true);
  caps = $state<{ memory_tokens?: number; item_tokens?: number; pinned_tokens?: number }>({});
  memories = $state<{ id: string; title: string }[]>([]);
  documents = $state<{ id: string; title: string }[]>([]);

  /** Put in what the address names: `?memory=ID&document=ID`. */
  async take(query: URLSearchParams): Promise<void> {
    const memories = query.getAll("memory").map(async (id) => {
      const found = await call("GET /v1/memories/{memory_id}", { path: { memory_id: id } });
      this.addMemory(id, found.content);
    });
    const documents = query.getAll("document").map(async (id) => {
      const found = await call("GET /v1/documents/{document_id}", { path: { document_id: id } });
      if (!this.documents.some((each) => each.id === id))
        this.documents.push({ id, title: found.document.title });
    });
    // What is gone or not to be read is left out.
    await Promise.allSettled([...memories, ...documents]);
  }

  addMemory(id: string, title: string): void {
    if (!this.memories.some((each) => each.id === id)) this.memories.push({ id, title });
  }

  get body(): Sending {
    return {
      chosen_memory_ids: this.memories.map((each) => each.id),
      selected_doc_ids: this.documents.map((each) => each.id),
      use_memory: this.useMemory,
      use_pinned: this.usePinned,
      memory_caps: { ...this.caps },
    };
  }

  get chips(): Chip[] {
    return [
      ...this.memories.map(({ id, title }): Chip => ({
        id,
        label: title,
        icon: "memory",
        remove: () => (this.memories = this.memories.filter((each) => each.id !== id)),
      })),
      ...this.documents.map(({ id, title }): Chip => ({
        id,
        label: title,
        icon: "library",
        remove: () => (this.documents = this.documents.filter((each) => each.id !== id)),
      })),
    ];
  }

  /** What was put in was for one message. */
  sent(): void {
    this.memories = [];
    this.documents = [];
  }
}
