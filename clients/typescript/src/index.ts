export { SaegimClient } from "./client.ts";
export type { CallOptions, ChatOptions, ClientOptions, ConnectionOptions, Read } from "./client.ts";
export { Changed, SaegimProblem, Unreachable } from "./errors.ts";
export type { TurnEvent } from "./events.ts";
export type * from "./types.ts";
