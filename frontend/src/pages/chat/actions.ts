// What the buttons of a turn do. Those that are missing are not shown.
import type { Component } from "svelte";
import type { FeedbackBody } from "$lib/api.ts";
import type { Turn } from "$lib/conversation/turn.svelte.ts";

export interface CorrectionProps {
  turn: Turn;
  rate: (turn: Turn, feedback: FeedbackBody) => void;
  open: boolean;
  close: () => void;
}

export interface VariantsProps {
  turn: Turn;
  of: "edits" | "answers";
  busy: boolean;
  choose: (variant: string) => void;
}

export interface TurnActions {
  cite(turn: Turn, marker: string): void;
  copy(turn: Turn): void;
  rate?(turn: Turn, feedback: FeedbackBody): void;
  /** Asks after a bad rating what would have been right. */
  Correction?: Component<CorrectionProps> | undefined;
  retry?(turn: Turn): void;
  regenerate?(turn: Turn): void;
  continue?(turn: Turn): void;
  /** Takes back what the turn did to memory. */
  undo?(turn: Turn): Promise<void>;
  edit?(turn: Turn, message: string): void;
  choose?(variant: string): void;
  /** Not imported by the turn: the widget has none. */
  Variants?: Component<VariantsProps>;
  why?(turn: Turn): void;
  ask?(message: string): void;
  /** The address of the memory page, at what the turn remembered if that is one memory. */
  memory?(turn: Turn): string;
  /** The address of the sign-in that leads back here. */
  signIn?(): string;
}
