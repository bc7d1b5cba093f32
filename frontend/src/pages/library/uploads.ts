// The progress of an upload, computed without a browser.
import type { FileState, FileView } from "$lib/api.ts";
import { number } from "$lib/dates.ts";
import { plural, t } from "$lib/texts.ts";
import { fileStateLabel } from "./kinds.ts";

export interface UploadedFile {
  name: string;
  /** `queued` until its upload begins. */
  state: FileState | "queued";
  passages: number;
  stored: number;
  /** When indexing began to be followed, and how many passages were stored then. */
  began?: { at: number; stored: number };
  /** Why it failed, in words. */
  message: string | null;
}

/** Fewer passages are indexed before an estimate is worth reading. */
const LONG = 500;
const OVER = new Set<UploadedFile["state"]>(["done", "failed", "cancelled"]);

export const isOver = (file: UploadedFile): boolean => OVER.has(file.state);

/** The share of a file that is done, from 0 to 1: a third is the upload, the rest is indexing. */
export function share(file: UploadedFile): number {
  if (isOver(file)) return 1;
  if (file.state === "queued" || file.state === "receiving") return file.state === "queued" ? 0 : 0.1;
  if (file.state === "waiting") return 0.3;
  const stored = file.passages > 0 ? Math.min(1, file.stored / file.passages) : 0;
  return 0.35 + 0.6 * stored;
}

export function overallShare(files: UploadedFile[]): number {
  if (files.length === 0) return 0;
  return files.reduce((sum, file) => sum + share(file), 0) / files.length;
}

/** Say in words where a file is. */
export function fileText(file: UploadedFile, now = Date.now()): string {
  if (file.state === "queued") return t("Waiting to be uploaded");
  if (file.state === "failed") return file.message ?? t("Failed");
  if (file.state === "done") return plural("Ready · 1 passage", "Ready · {count} passages", file.passages);
  if (file.state === "storing" && file.passages > 0) return indexingText(file, now);
  return fileStateLabel(file.state);
}

/** Say how far indexing is and, of a long file, how much is left: by the pace so far. */
function indexingText(file: UploadedFile, now: number): string {
  const percent = `${fileStateLabel("storing")} ${Math.floor((100 * file.stored) / file.passages)}%`;
  const left = file.passages - file.stored;
  if (left < LONG) return percent;
  const rest = t("{count} passages left", { count: number(left) });
  const fresh = file.stored - (file.began?.stored ?? file.stored);
  if (!file.began || fresh <= 0) return `${percent} · ${rest}`;
  const minutes = Math.max(1, Math.round((left * (now - file.began.at)) / fresh / 60_000));
  return `${percent} · ${rest} · ${t("about {count} min", { count: number(minutes) })}`;
}

/** Say in one line how a batch is going. */
export function overallText(files: UploadedFile[]): string {
  const done = files.filter((file) => file.state === "done").length;
  const failed = files.filter((file) => file.state === "failed").length;
  if (!files.every(isOver))
    return plural("{done} of 1 file ready", "{done} of {count} files ready", files.length, {
      done: number(done),
    });
  if (failed === 0 && done === files.length) return plural("1 file ready", "{count} files ready", done);
  if (failed > 0)
    return plural(
      "{done} of 1 file ready, {failed} failed",
      "{done} of {count} files ready, {failed} failed",
      files.length,
      { done: number(done), failed: number(failed) },
    );
  return plural(
    "Cancelled: {done} of 1 file ready",
    "Cancelled: {done} of {count} files ready",
    files.length,
    { done: number(done) },
  );
}

/** Take over what the server knows of a file. Returns whether it became ready just now. */
export function update(file: UploadedFile, known: FileView, now = Date.now()): boolean {
  const ready = known.state === "done" && file.state !== "done";
  file.state = known.state;
  file.passages = known.passages;
  file.stored = known.stored;
  if (known.state === "storing") file.began ??= { at: now, stored: known.stored };
  file.message = known.message;
  return ready;
}
