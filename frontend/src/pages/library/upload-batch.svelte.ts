// The upload of several files. It goes on while other pages of the application are shown.
import { call, errorText, send, type IngestView } from "$lib/api.ts";
import { isOver, update, type UploadedFile } from "./uploads.ts";

const POLL_MS = 700;

export interface Destination {
  /** The name of a collection; null for documents that only the user can read. */
  collection: string | null;
}

export class UploadBatch {
  files: UploadedFile[] = $state([]);
  cancelling = $state(false);
  failure = $state("");
  #stop = new AbortController();
  #ingest = "";

  get over(): boolean {
    return this.files.every(isOver);
  }

  /** Upload files one by one, small ones first, and follow them until they can be found. `ready` is called for each. */
  async run(chosen: File[], to: Destination, ready: () => void): Promise<void> {
    const files = [...chosen].sort((one, other) => one.size - other.size);
    this.files = files.map((file) => ({
      name: file.name.normalize("NFC"),
      state: "queued" as const,
      passages: 0,
      stored: 0,
      message: null,
    }));
    try {
      const body = to.collection === null ? { own: true } : { collection: to.collection };
      const opened = await call("POST /v1/ingests", { body });
      this.#ingest = opened.ingest_id;
      const sending = this.#sendAll(files);
      await this.#follow(sending, ready);
    } catch (error) {
      this.failure = errorText(error);
      for (const file of this.files) if (!isOver(file)) fail(file, this.failure);
    }
  }

  async cancel(): Promise<void> {
    this.cancelling = true;
    this.#stop.abort();
    for (const file of this.files)
      if (file.state === "queued" || file.state === "receiving") file.state = "cancelled";
    try {
      if (this.#ingest)
        this.#learn(
          await call("POST /v1/ingests/{ingest_id}/cancel", { path: { ingest_id: this.#ingest } }),
          () => undefined,
        );
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  async #sendAll(files: File[]): Promise<void> {
    for (const [index, content] of files.entries()) {
      const file = this.files[index];
      if (!file || this.#stop.signal.aborted) return;
      file.state = "receiving";
      try {
        await send("PUT /v1/ingests/{ingest_id}/files/{name}", {
          path: { ingest_id: this.#ingest, name: file.name },
          body: content,
          signal: this.#stop.signal,
        });
        if (file.state === "receiving") file.state = "waiting";
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        fail(file, errorText(error));
      }
    }
  }

  /** Poll while files are sent, so that each is shown as soon as it is ready. */
  async #follow(sending: Promise<void>, ready: () => void): Promise<void> {
    let sent = false;
    void sending.finally(() => (sent = true));
    while (!(sent && this.over)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (this.files.every((file) => file.state === "queued" || file.state === "receiving")) continue;
      this.#learn(await call("GET /v1/ingests/{ingest_id}", { path: { ingest_id: this.#ingest } }), ready);
    }
  }

  #learn(ingest: IngestView, ready: () => void): void {
    const known = new Map(ingest.files.map((file) => [file.name, file]));
    let some = false;
    for (const file of this.files) {
      const found = known.get(file.name);
      if (found && file.state !== "queued" && file.state !== "cancelled" && found.state !== "receiving")
        some = update(file, found) || some;
    }
    if (some) ready();
  }
}

function fail(file: UploadedFile, message: string): void {
  file.state = "failed";
  file.message = message;
}

/** The batches that were started since the page was loaded, newest first. */
export const batches = $state<UploadBatch[]>([]);

/** Those who want to know when a document became ready. */
export const readyListeners = new Set<() => void>();

export function upload(files: File[], to: Destination): void {
  if (files.length === 0) return;
  const batch = new UploadBatch();
  batches.unshift(batch);
  void batch.run(files, to, () => readyListeners.forEach((listener) => listener()));
}

export function dismissBatch(batch: UploadBatch): void {
  const at = batches.indexOf(batch);
  if (at >= 0) batches.splice(at, 1);
}
