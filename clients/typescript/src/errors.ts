import type { Problem } from "./types.ts";

/** The server's own words (RFC 9457); `code` is stable, `title` is for people. */
export class SaegimProblem extends Error {
  readonly code: string;
  readonly title: string;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;

  constructor(problem: Partial<Problem> & { code: string; title: string }) {
    super(problem.detail ? `${problem.title} ${problem.detail}` : problem.title);
    this.name = "SaegimProblem";
    this.code = problem.code;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail ?? undefined;
    this.requestId = problem.request_id ?? undefined;
  }
}

/** Somebody changed it meanwhile (412). After a lost connection that may have been the first try of
 * the same call: read it again. */
export class Changed extends SaegimProblem {
  constructor(problem: Partial<Problem> & { code: string; title: string }) {
    super(problem);
    this.name = "Changed";
  }
}

/** No answer, after every retry. */
export class Unreachable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "Unreachable";
  }
}

/** The problem in a response; a proxy's own page has only its status. */
export async function problemOf(response: Response): Promise<SaegimProblem> {
  const text = await response.text();
  try {
    const found = JSON.parse(text);
    if (typeof found.code === "string" && typeof found.title === "string") {
      return response.status === 412 ? new Changed(found) : new SaegimProblem(found);
    }
  } catch {
    // Not ours; what is left is the status.
  }
  const title = `HTTP ${response.status} ${response.statusText}`.trim();
  return new SaegimProblem({ code: "http_error", title, status: response.status });
}
