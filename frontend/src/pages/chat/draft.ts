// The message that is being written, kept over reloads and sign-ins; one for each conversation.

const key = (session: string | undefined): string => `saegim-draft:${session ?? "new"}`;

export function readDraft(session: string | undefined): string {
  try {
    return sessionStorage.getItem(key(session)) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(session: string | undefined, text: string): void {
  try {
    if (text) sessionStorage.setItem(key(session), text);
    else sessionStorage.removeItem(key(session));
  } catch {
    // Without storage a draft lives as long as its page.
  }
}

let question = "";

/** Keep a question of another page, which the next new conversation sends. An address could carry it as well,
 * but then any link to the chat could speak for its reader. */
export function askNext(message: string): void {
  question = message;
}

export function takeQuestion(): string {
  const taken = question;
  question = "";
  return taken;
}
