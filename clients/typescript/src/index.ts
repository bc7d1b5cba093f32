export { SaegimClient } from "./client.ts";
export type { CallOptions, ChatOptions, ClientOptions } from "./client.ts";
export { SaegimProblem, Unreachable } from "./errors.ts";
export type { TurnEvent } from "./events.ts";
export type * from "./types.ts";
