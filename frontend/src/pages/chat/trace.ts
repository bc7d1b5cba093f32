// The trace of a turn: why an answer came out as it did.
import type { BlockView, ItemView } from "$lib/api.ts";
import { dollars, number } from "$lib/dates.ts";
import { t } from "$lib/texts.ts";

export interface TraceCall {
  step: string;
  role: string;
  source: string;
  model: string;
  fault?: string | null;
  input_tokens: number;
  output_tokens: number;
  seconds: number;
  cost_usd?: number | string | null;
  connection?: string | null;
  pseudonyms?: number;
}

export interface TraceSpan {
  name: string;
  began_ms: number;
  took_ms: number;
}

export interface Trace {
  route?: string;
  routing?: {
    reason?: string;
    lookup_source?: string | null;
    standalone?: string | null;
    variants?: string[];
  };
  items?: ItemView[];
  blocks?: BlockView[];
  context?: { tokens: number; budget: number } | null;
  egress?: { records: Record<string, number>; pinned: number; withheld: number } | null;
  findings?: { confidence: number } | null;
  answer?: {
    outcome: string;
    choice: string;
    reasons?: string[];
    self_score?: number | null;
    check?: { passed?: boolean; coverage?: number } | null;
    sentences?: number;
    supported_sentences?: number;
  } | null;
  tools?: {
    tool: string;
    state: string;
    provider?: string | null;
    reason?: string | null;
    took_ms: number;
  }[];
  spans?: TraceSpan[];
  calls?: TraceCall[];
  degraded?: string[];
  rejected_doc_ids?: string[];
  cost_usd?: number | string | null;
  citations?: { marker: string; id: string }[];
}

const USED = new Set(["injected", "pinned", "shortened", "taken"]);

/** Whether an item was part of what the model read. */
export const wasUsed = (item: ItemView): boolean => USED.has(item.fate);
export const isMemory = (item: ItemView): boolean => item.kind === "memory" || item.kind === "episode";

/** The whole time of a turn, in seconds. */
export function tookSeconds(trace: Trace): number {
  return Math.max(0, ...(trace.spans ?? []).map((span) => span.began_ms + span.took_ms)) / 1000;
}

/** The cost, null if the price of a model is not known. */
export function costOf(trace: Trace): number | null {
  const calls = (trace.calls ?? []).filter((call) => call.source !== "fallback");
  if (calls.length === 0) return 0;
  const cost = trace.cost_usd === null || trace.cost_usd === undefined ? null : Number(trace.cost_usd);
  return cost === 0 ? null : cost;
}

/** The model that wrote the answer; undefined if rules did. */
export function answeredBy(trace: Trace): string | undefined {
  const writers = (trace.calls ?? []).filter(
    (call) => (call.step === "answer" || call.step === "draft") && call.source !== "fallback" && !call.fault,
  );
  return writers.at(-1)?.model;
}

/** Return one plain sentence that says what was read, used, and how long it took. */
export function summary(trace: Trace, cited: number): string {
  const items = trace.items ?? [];
  const passages = items.filter((item) => !isMemory(item) && item.kind !== "tool").length;
  const memories = items.filter(isMemory).length;
  const seconds = tookSeconds(trace).toFixed(1);
  const model = answeredBy(trace);
  const read =
    passages + memories === 0
      ? t("I searched nothing for this")
      : t("I read {passages} and {memories}, and cite {cited}", {
          passages: passages === 1 ? t("1 passage") : t("{count} passages", { count: number(passages) }),
          memories: memories === 1 ? t("1 memory") : t("{count} memories", { count: number(memories) }),
          cited: number(cited),
        });
  if (model === undefined) return t("{read}. I answered without a model, in {seconds} s.", { read, seconds });
  const cost = costOf(trace);
  if (cost === null) return t("{read}. I answered with {model} in {seconds} s.", { read, model, seconds });
  return t("{read}. I answered with {model} in {seconds} s for {cost}.", {
    read,
    model,
    seconds,
    cost: dollars(cost),
  });
}

/** The calls of a turn that reached a model. */
export function askedModels(trace: Trace): TraceCall[] {
  return (trace.calls ?? []).filter((call) => call.source !== "fallback");
}
