// Who the token belongs to, and the conversation that this user had last.
import { call, errorText, SaegimProblem } from "$lib/api.ts";
import { Conversation } from "$lib/conversation/conversation.svelte.ts";
import { t } from "$lib/texts.ts";
import { KeptConversation } from "./memory.ts";
import type { Bridge } from "./public.ts";
import type { Settings } from "./settings.ts";

export class Connection {
  state = $state<"connecting" | "ready" | "failed">("connecting");
  failure = $state("");
  conversation = $state.raw(new Conversation());
  starters = $state<string[]>([]);
  readonly #settings: Settings;
  readonly #bridge: Bridge;
  #kept: KeptConversation | undefined;

  constructor(settings: Settings, bridge: Bridge) {
    this.#settings = settings;
    this.#bridge = bridge;
  }

  /** Get a token and show the last conversation. Called again by "Try again". */
  async connect(): Promise<void> {
    this.state = "connecting";
    try {
      const me = await call("GET /v1/me");
      const { site, mode } = this.#settings;
      // The chat in the page has another conversation than the one in the corner.
      const place = mode === "inline" ? `:${mode}` : "";
      this.#kept = new KeptConversation(site, `${me.user_id}:${me.profile_id}${place}`);
      await this.#open(this.#kept.read());
      this.starters = this.#settings.starters;
      this.state = "ready";
    } catch (error) {
      this.failure = refusalText(error);
      this.state = "failed";
      this.#bridge.tell("error", { reason: error instanceof SaegimProblem ? error.code : "unreachable" });
    }
  }

  /** Begin a new conversation. */
  restart(): void {
    this.#kept?.write(undefined);
    void this.#open(undefined);
  }

  async ask(text: string): Promise<void> {
    this.#bridge.tell("sent", { sessionId: this.conversation.session });
    await this.conversation.send(text);
  }

  async #open(session: string | undefined): Promise<void> {
    const conversation = this.#conversation(session);
    this.conversation = conversation;
    try {
      await conversation.load();
    } catch (error) {
      // The conversation was deleted meanwhile, or belongs to another assistant.
      if (!(error instanceof SaegimProblem) || error.status !== 404) throw error;
      this.#kept?.write(undefined);
      this.conversation = this.#conversation(undefined);
    }
  }

  #conversation(session: string | undefined): Conversation {
    const conversation: Conversation = new Conversation(
      {
        onsession: (id) => this.#kept?.write(id),
        onchange: () => this.#changed(conversation),
        onexpired: () => {
          const turn = conversation.turns.at(-1)?.last;
          if (turn) turn.failure = { text: refusedText(), remedy: "retry" };
        },
      },
      session,
    );
    return conversation;
  }

  #changed(conversation: Conversation): void {
    this.#kept?.write(conversation.session);
    const last = conversation.turns.at(-1)?.last;
    const ids = { sessionId: conversation.session, turnId: last?.id };
    if (last?.failure) this.#bridge.tell("error", { ...ids, reason: "unanswered" });
    else if (last && !last.running) this.#bridge.tell("answered", ids);
  }
}

const refusedText = (): string => t("The server did not accept this site's sign-in to the chat.");

/** Return a sentence about why the chat cannot start. */
function refusalText(error: unknown): string {
  const refused = error instanceof SaegimProblem && error.status === 401;
  return refused ? refusedText() : errorText(error);
}
