// A short-lived token of the host's backend, requested again when it has expired.
import { SaegimProblem, type Transport } from "$lib/api.ts";
import { t } from "$lib/texts.ts";

const PATIENCE_MS = 20_000;

/** The host gave no token: `status` is its HTTP status, 0 if there was no answer or none of the right form. */
export class TokenRefused extends SaegimProblem {
  constructor(status: number) {
    const title =
      status === 401 || status === 403
        ? t("This site did not sign you in to the chat. Reload the page, or sign in to the site again.")
        : t("This site cannot start the chat right now. Try again in a moment.");
    super({ code: "token_refused", title, status: status === 401 ? 403 : status });
    this.name = "TokenRefused";
  }
}

export class Token {
  readonly #url: string;
  #asked: Promise<string> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Return the token. Requests at the same time share one. */
  get(): Promise<string> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  /** Request a new token. A failure is not kept: the next call tries again. */
  renew(): Promise<string> {
    this.#asked = this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<string> {
    try {
      return await this.#fetch();
    } catch (error) {
      this.#asked = undefined;
      throw error;
    }
  }

  async #fetch(): Promise<string> {
    let response: Response;
    try {
      response = await fetch(this.#url, {
        credentials: "same-origin",
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    } catch {
      throw new TokenRefused(0);
    }
    if (!response.ok) throw new TokenRefused(response.status);
    const found: unknown = await response.json().catch(() => undefined);
    const token = (found as { token?: unknown } | undefined)?.token;
    if (typeof token !== "string" || token === "") throw new TokenRefused(0);
    return token;
  }
}

/** Requests to the server with the token; never with cookies. */
export function tokenTransport(site: string, token: Token): Transport {
  return {
    base: site,
    credentials: "omit",
    headers: async () => ({ Authorization: `Bearer ${await token.get()}` }),
    renew: async () => {
      await token.renew();
      return true;
    },
  };
}
