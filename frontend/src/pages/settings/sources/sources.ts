// Kinds of sources, their states in words, and the request that a form stands for.
import type { SourceBody, SourceKind, SourceView } from "$lib/api.ts";
import { N_, plural, t } from "$lib/texts.ts";

export type NewKind = "sitemap" | "urls" | "s3";

export const KINDS: Record<NewKind, { label: string; about: string }> = {
  sitemap: { label: N_("Website"), about: N_("All pages that its sitemap lists.") },
  urls: { label: N_("Single pages"), about: N_("Pages that you list yourself.") },
  s3: { label: N_("Bucket"), about: N_("Files in S3 or a compatible storage.") },
};

const KIND_NAMES: Record<SourceKind, string> = {
  folder: N_("Folder"),
  sitemap: N_("Website"),
  urls: N_("Single pages"),
  s3: N_("Bucket"),
};
export const kindName = (kind: SourceKind): string => t(KIND_NAMES[kind]);

export const INTERVALS = [
  { hours: 1, label: N_("Every hour") },
  { hours: 6, label: N_("Every 6 hours") },
  { hours: 24, label: N_("Every day") },
  { hours: 168, label: N_("Every week") },
  { hours: 720, label: N_("Every 30 days") },
];

export function interval(hours: number): string {
  const usual = INTERVALS.find((each) => each.hours === hours);
  return usual ? t(usual.label) : t("Every {hours} hours", { hours });
}

export interface SourceForm {
  kind: NewKind;
  url: string;
  urls: string;
  endpoint: string;
  bucket: string;
  prefix: string;
  region: string;
  accessKey: string;
  secretKey: string;
  collection: string;
  type: string;
  hours: number;
}

export function emptyForm(): SourceForm {
  return {
    kind: "sitemap",
    url: "",
    urls: "",
    endpoint: "",
    bucket: "",
    prefix: "",
    region: "us-east-1",
    accessKey: "",
    secretKey: "",
    collection: "",
    type: "guide",
    hours: 24,
  };
}

const lines = (text: string) => [
  ...new Set(
    text
      .split(/\s+/)
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];

/** Return what is missing before the source can be added, in words; empty if nothing is. */
export function missing(form: SourceForm): string {
  const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text.trim());
  if (form.kind === "sitemap" && !isAddress(form.url))
    return t("Enter the address of the sitemap, beginning with https://");
  if (form.kind === "urls") {
    const wrong = lines(form.urls).find((each) => !isAddress(each));
    if (wrong) return t("“{text}” is not an address.", { text: wrong });
    if (lines(form.urls).length === 0) return t("Enter at least one address.");
  }
  if (form.kind === "s3") {
    if (!isAddress(form.endpoint)) return t("Enter the address of the storage, beginning with https://");
    if (!form.bucket.trim()) return t("Enter the name of the bucket.");
    if (!form.accessKey.trim() || !form.secretKey.trim()) return t("Enter both keys.");
  }
  if (!form.collection.trim()) return t("Choose a collection.");
  return "";
}

export function sourceBody(form: SourceForm): SourceBody {
  const source: SourceBody["source"] =
    form.kind === "sitemap"
      ? { kind: "sitemap", url: form.url.trim() }
      : form.kind === "urls"
        ? { kind: "urls", urls: lines(form.urls) }
        : {
            kind: "s3",
            endpoint: form.endpoint.trim(),
            bucket: form.bucket.trim(),
            prefix: form.prefix.trim(),
            region: form.region.trim() || "us-east-1",
            access_key: form.accessKey.trim(),
            secret_key: form.secretKey.trim(),
          };
  return {
    source,
    collection: form.collection.trim(),
    type: form.type.trim() || "guide",
    every_hours: form.hours,
  };
}

/** Return what a source is doing or did last, as a sentence. */
export function sourceState(source: SourceView): { kind: "info" | "success" | "error"; text: string } {
  if (source.running)
    return {
      kind: "info",
      text: t("Reading: {done} of {listed}", {
        done: source.changed + source.unchanged + source.failed,
        listed: source.listed,
      }),
    };
  if (source.error) return { kind: "error", text: source.message ?? source.error };
  if (source.synced_at === null) return { kind: "info", text: t("Waiting for its first reading") };
  if (source.failed > 0)
    return {
      kind: "error",
      text: plural("1 item could not be read", "{count} items could not be read", source.failed),
    };
  return { kind: "success", text: t("Up to date") };
}
