// Files for the next message: uploaded as the person's own documents, then followed until they can be read.
import { call, errorText, type FileView } from "$lib/api.ts";
import type { Attachment } from "$lib/conversation/turn.svelte.ts";
import { t } from "$lib/texts.ts";

const POLL_MS = 500;

export class AttachedFile {
  progress = $state<number>();
  error = $state("");
  document = $state<Attachment>();
  cancelled = false;
  ingest: string | undefined;

  constructor(readonly name: string) {}

  get waiting(): boolean {
    return !this.error && !this.document;
  }
}

export class Attachments {
  files = $state<AttachedFile[]>([]);

  get waiting(): boolean {
    return this.files.some((file) => file.waiting);
  }

  get failed(): boolean {
    return this.files.some((file) => file.error);
  }

  /** The documents that the next message refers to. */
  get ready(): Attachment[] {
    return this.files.flatMap((file) => (file.document ? [file.document] : []));
  }

  add(chosen: Iterable<File>): void {
    for (const file of chosen) {
      const name = file.name.normalize("NFC");
      if (this.files.some((each) => each.name === name && !each.error)) continue;
      this.files = [...this.files.filter((each) => each.name !== name), new AttachedFile(name)];
      const attached = this.files.at(-1);
      if (attached) void this.#upload(attached, file);
    }
  }

  remove(file: AttachedFile): void {
    file.cancelled = true;
    this.files = this.files.filter((each) => each !== file);
    if (file.waiting && file.ingest)
      void call("POST /v1/ingests/{ingest_id}/cancel", { path: { ingest_id: file.ingest } }).catch(
        () => undefined,
      );
  }

  clear(): void {
    this.files = [];
  }

  async #upload(attached: AttachedFile, file: File): Promise<void> {
    try {
      const { ingest_id } = await call("POST /v1/ingests", { body: { own: true } });
      attached.ingest = ingest_id;
      await call("PUT /v1/ingests/{ingest_id}/files/{name}", {
        path: { ingest_id, name: attached.name },
        body: file as unknown as Uint8Array,
      });
      while (!attached.cancelled) {
        const ingest = await call("GET /v1/ingests/{ingest_id}", { path: { ingest_id } });
        const found = ingest.files.find((each) => each.name === attached.name) ?? ingest.files[0];
        if (found) note(attached, found);
        if (ingest.over || !attached.waiting) break;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch (error) {
      attached.error = errorText(error);
    }
  }
}

function note(attached: AttachedFile, found: FileView & { document_id?: string | null }): void {
  if (found.state === "failed" || found.state === "cancelled") {
    attached.error = found.message || t("The file could not be read.");
  } else if (found.state === "done") {
    if (found.document_id) attached.document = { document_id: found.document_id, title: attached.name };
    else attached.error = t("The file has no text that can be searched.");
  } else {
    attached.progress = found.passages ? Math.min(0.99, found.stored / found.passages) : undefined;
  }
}
