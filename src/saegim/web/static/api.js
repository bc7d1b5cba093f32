// The HTTP API, as the pages (by their cookie) and the widget (by a token) call it.

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.title || `HTTP ${status}`);
    this.status = status;
    this.code = problem.code;
  }
}

export class Api {
  /** `credentials()` gives the headers that prove who asks; `renew()` makes new ones after a 401. */
  constructor({ base = "", language = "ko", credentials, renew = null }) {
    this.base = base;
    this.language = language;
    this.credentials = credentials;
    this.renew = renew;
  }

  async json(method, path, body) {
    const response = await this.send(method, path, { body });
    return response.status === 204 ? null : response.json();
  }

  async send(method, path, { body, headers = {}, signal, raw } = {}, again = true) {
    const response = await fetch(this.base + path, {
      method,
      signal,
      credentials: this.base ? "omit" : "same-origin",
      headers: {
        "Accept-Language": this.language,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(await this.credentials()),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    if (response.ok) return response;
    if (response.status === 401 && this.renew && again) {
      await this.renew();
      return this.send(method, path, { body, headers, signal, raw }, false);
    }
    let problem = {};
    try {
      problem = await response.json();
    } catch {
      // A proxy's own page is no problem of ours.
    }
    throw new Refused(response.status, problem);
  }
}

/** The API for a page of ours: the cookie goes along by itself, the page's secret as a header. */
export function pageApi(more = {}) {
  const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";
  const language = document.documentElement.lang;
  return new Api({ language, credentials: () => ({ "Saegim-Csrf": csrf, ...more }) });
}
