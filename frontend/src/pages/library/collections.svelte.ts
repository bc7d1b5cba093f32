// Collections that the user can choose. Only administrators may list them all; others know those of the
// documents that they can read.
import { call, type CollectionView, type ListedDocumentView } from "$lib/api.ts";
import { may } from "$lib/boot.svelte.ts";
import { toastError } from "$lib/toasts.svelte.ts";

export interface Collection {
  id: string;
  name: string;
  audience: string[];
  mine: boolean;
}

export class Collections {
  #listed: Collection[] = $state.raw([]);
  #seen: Map<string, Collection> = $state.raw(new Map());

  /** All known collections: shared ones by name, then the private one. */
  get all(): Collection[] {
    const known = new Map(this.#seen);
    for (const collection of this.#listed) known.set(collection.id, collection);
    return [...known.values()].sort(
      (one, other) => Number(one.mine) - Number(other.mine) || one.name.localeCompare(other.name),
    );
  }

  get shared(): Collection[] {
    return this.all.filter((collection) => !collection.mine);
  }

  async load(): Promise<void> {
    if (!may("collections")) return;
    try {
      this.#listed = (await call("GET /v1/collections")).map(shared);
      // One that was deleted may still be known from its documents.
      this.#seen = new Map([...this.#seen].filter(([, collection]) => collection.mine));
    } catch (error) {
      toastError(error);
    }
  }

  /** Learn the collections of documents. */
  learn(documents: ListedDocumentView[]): void {
    const unknown = documents.filter(
      ({ collection_id, mine }) => !this.#seen.has(collection_id) && (mine || !may("collections")),
    );
    if (unknown.length === 0) return;
    const seen = new Map(this.#seen);
    for (const { collection_id: id, collection: name, audience, mine } of unknown)
      seen.set(id, { id, name, audience, mine });
    this.#seen = seen;
  }
}

const shared = ({ collection_id, name, audience }: CollectionView): Collection => ({
  id: collection_id,
  name,
  audience,
  mine: false,
});
