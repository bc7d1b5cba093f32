// The widget: the chat view in a shadow root, so that neither page sees into the other.
import { Api } from "./api.js";
import { ChatView } from "./chat.js";
import * as cite from "./cite.js";
import { el, icon, iconButton } from "./dom.js";
import { speaking } from "./texts.js";

/** `settings`: site, tokenUrl, language, theme, open, title. Returns what the host page may use. */
export function start(settings) {
  const language = settings.language || (navigator.language.startsWith("ko") ? "ko" : "en");
  const say = speaking(language);
  const host = document.createElement("saegim-widget");
  if (settings.theme) host.dataset.theme = settings.theme;
  const shadow = host.attachShadow({ mode: "closed" });
  const styles = ["chat.css", "widget.css"].map((name) => el("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
  const root = el("div", { className: "talk" });
  const side = el("div", { className: "drawer", hidden: true });
  const panel = el("section", { className: "panel", role: "dialog", "aria-label": settings.title || "Saegim", hidden: true });
  const toggle = el("button", { type: "button", className: "bubble-button", "aria-label": say("Open the chat"), "aria-expanded": "false", on: { click: () => show(panel.hidden) } }, icon("chat"));
  panel.append(
    el("header", {}, el("strong", {}, settings.title || "Saegim"), iconButton("close", say("Close"), () => show(false))),
    root,
    side,
  );
  shadow.append(...styles, panel, toggle);
  document.body.append(host);

  const token = new Token(settings.tokenUrl);
  const api = new Api({ base: settings.site, language, credentials: () => token.headers(), renew: () => token.renew() });
  const view = new ChatView(root, api, {
    language,
    name: settings.title || "Saegim",
    cite: async (_turn, citation) => {
      const shut = iconButton("close", say("Close"), () => { side.hidden = true; });
      side.replaceChildren(shut, ...(await cite.shown(api, say, citation, view.turns)).filter(Boolean));
      side.hidden = false;
    },
  });

  function show(open) {
    panel.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    if (open) view.composer.focus();
    else toggle.focus();
  }
  host.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
  });
  if (settings.open !== undefined) show(true);
  return { show, host };
}

/** A short-lived token of the host's backend, asked for again when it is over. */
class Token {
  constructor(url) {
    this.url = url;
    this.asked = null;
  }

  async headers() {
    this.asked ??= this.#ask();
    return { Authorization: `Bearer ${await this.asked}` };
  }

  async renew() {
    this.asked = this.#ask();
    await this.asked;
  }

  async #ask() {
    const response = await fetch(this.url, { credentials: "same-origin", headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(`token: HTTP ${response.status}`);
    return (await response.json()).token;
  }
}
