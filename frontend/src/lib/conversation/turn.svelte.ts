// One message with its answer, as it is shown.
import type { ChatReply, CitationView, EffectView, FeedbackBody, TurnState, TurnView } from "$lib/api.ts";
import { t } from "$lib/texts.ts";
import type { TurnRequest } from "./stream.ts";

/** Why a message has no answer, and what helps. */
export interface Failure {
  text: string;
  /** `expired`: sign in again; `retry`: send or follow again. */
  remedy: "retry" | "expired";
}

export interface Attachment {
  document_id: string;
  title: string;
}

/** A turn as the server keeps it. */
export type StoredTurn = TurnView & { attachments?: Attachment[] };

let made = 0;

export class Turn {
  /** Stays the same while the turn gets its id. */
  readonly key = ++made;
  id = $state<string>();
  number = $state(0);
  message = $state("");
  text = $state("");
  state = $state<TurnState>("received");
  error = $state<string | null>(null);
  phase = $state("received");
  outcome = $state("");
  byRule = $state(false);
  degraded = $state<string[]>([]);
  /** What the answer asks at its end: whether to forget something. */
  proposal = $state<TurnView["proposal"]>(null);
  citations = $state<CitationView[]>([]);
  feedback = $state<FeedbackBody | null>(null);
  attachments = $state<Attachment[]>([]);
  /** Ids of all answers to this point of the conversation, oldest first. */
  variants = $state<string[]>([]);
  /** Those of them with the same message, and one for each message. */
  answers = $state<string[]>([]);
  edits = $state<string[]>([]);
  failure = $state<Failure>();
  /** What it did to memory, and what was remembered of it later. */
  effects = $state<EffectView[]>([]);
  /** Memory was changed since then, so that it cannot be undone. */
  changedSince = $state(false);
  /** Turns that continue an answer that was cut off. */
  continuations = $state<Turn[]>([]);
  createdAt = "";
  /** What began this turn; sent again by a retry. */
  request: TurnRequest | undefined;

  constructor(message: string) {
    this.message = message;
  }

  static of(stored: StoredTurn): Turn {
    const turn = new Turn(stored.message);
    turn.update(stored);
    return turn;
  }

  update(stored: StoredTurn): void {
    this.id = stored.turn_id;
    this.number = stored.number;
    this.message = stored.message;
    this.state = stored.state;
    this.error = stored.error;
    this.createdAt = stored.created_at;
    this.byRule = stored.by_rule;
    this.degraded = stored.degraded;
    this.proposal = stored.proposal;
    this.citations = stored.citations;
    this.feedback = stored.feedback;
    this.attachments = stored.attachments ?? [];
    this.variants = stored.variants;
    this.answers = stored.answers;
    this.edits = stored.edits;
    this.did(stored.effects);
    if (!this.running) this.text = stored.answer ?? "";
  }

  settle(reply: ChatReply): void {
    this.id = reply.turn_id;
    if (this.variants.length === 0) this.variants = this.answers = this.edits = [reply.turn_id];
    this.text = reply.answer || this.text;
    this.state = reply.state;
    this.error = reply.error ?? null;
    this.outcome = reply.outcome ?? "";
    this.degraded = reply.degraded;
    this.proposal = reply.proposal ?? null;
    for (const citation of reply.citations ?? []) this.cite(citation);
    this.did(reply.effects ?? []);
  }

  /** Note what it did to memory. Words that are not stored stay as they were. */
  did(effects: readonly EffectView[]): void {
    const known = new Map(this.effects.map((each) => [each.kind + each.id, each]));
    for (const each of effects) {
      const before = known.get(each.kind + each.id);
      const text = each.text || (each.kind === "remembered" ? "" : (before?.text ?? ""));
      known.set(each.kind + each.id, { ...before, ...each, text });
    }
    this.effects = [...known.values()];
  }

  markUndone(): void {
    this.effects = this.effects.map((each) => ({ ...each, undone: true }));
  }

  get isUndone(): boolean {
    return this.effects.length > 0 && this.effects.every((each) => each.undone);
  }

  /** Whether it did something to memory that can still be undone. */
  get isUndoable(): boolean {
    return !this.changedSince && this.effects.some((each) => !each.undone && !isGone(each));
  }

  cite(citation: CitationView): void {
    const others = this.citations.filter((each) => each.marker !== citation.marker);
    this.citations = [...others, citation];
  }

  get running(): boolean {
    return this.failure === undefined && (this.state === "received" || this.state === "running");
  }

  /** The turn whose answer stands last: this one, or its last continuation. */
  get last(): Turn {
    return this.continuations.at(-1) ?? this;
  }

  /** The whole answer, with its continuations in place. */
  get answer(): string {
    return [this, ...this.continuations].map((part) => part.text).join("");
  }

  /** All sources; a marker of a continuation that is taken keeps its first meaning. */
  get sources(): CitationView[] {
    const found = new Map<string, CitationView>();
    for (const part of [this, ...this.continuations])
      for (const citation of part.citations)
        if (!found.has(citation.marker)) found.set(citation.marker, citation);
    return [...found.values()];
  }

  /** The sources whose markers the answer has, in the order of the text. */
  get shownSources(): CitationView[] {
    const answer = this.answer;
    return this.sources
      .filter((each) => answer.includes(`[${each.marker}]`))
      .sort((a, b) => answer.indexOf(`[${a.marker}]`) - answer.indexOf(`[${b.marker}]`));
  }
}

/** Return whether what was remembered is forgotten since: then its words are not told. */
export function isGone(effect: EffectView): boolean {
  return effect.kind === "remembered" && !effect.text && !effect.undone;
}

/** Return the name of a source: its document, or what is remembered. */
export function sourceTitle(citation: CitationView): string {
  if (citation.kind === "memory" && citation.turn)
    // The message; the reply is below it.
    return citation.text?.split("\n", 1)[0] || t("Past conversation");
  if (citation.kind === "memory") return citation.text || t("Memory");
  if (citation.kind === "turn") return t("Earlier in this conversation");
  return citation.title || citation.document || citation.marker;
}

/** Return an answer for the clipboard, with its sources below. */
export function withSources(turn: Turn): string {
  const sources = turn.shownSources.map((each) => {
    const place = [sourceTitle(each), each.section].filter(Boolean).join(" › ");
    return `[${each.marker}] ${place}${each.url ? ` ${each.url}` : ""}`;
  });
  if (sources.length === 0) return turn.answer;
  return `${turn.answer}\n\n${t("Sources")}:\n${sources.join("\n")}`;
}
