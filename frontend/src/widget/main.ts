// One tag puts the chat into any page:
//   <script src="https://saegim.example/widget.js" data-token-url="/saegim-token" defer></script>
// The backend of the host answers that route with {"token": "sgt_…"}.
import { mount } from "svelte";
import { useTransport } from "$lib/api.ts";
import { extras } from "$lib/markdown/extras.ts";
import { useTexts } from "$lib/texts.ts";
import { applyAccent } from "./accent.ts";
import { formula } from "./formula.ts";
import { Bridge } from "./public.ts";
import { readSettings, type Settings } from "./settings.ts";
import { Token, tokenTransport } from "./token.ts";
import Widget from "./Widget.svelte";
import "../styles/tokens.css";
import "../app/app.css";
import "./widget.css";

// Put in by `widget-build.js`.
declare const __WIDGET_STYLES__: string;
declare const __WIDGET_KOREAN__: Record<string, string>;

function start(settings: Settings, tag: Element, bridge: Bridge): void {
  // The script of the same tag can run twice.
  if (document.querySelector(`saegim-widget[data-mode=${settings.mode}]`)) return;
  useTexts(settings.language, __WIDGET_KOREAN__);
  extras.maths = () => Promise.resolve({ formula });
  useTransport(tokenTransport(settings.site, new Token(settings.tokenUrl)));
  const host = document.createElement("saegim-widget");
  host.dataset.mode = settings.mode;
  host.lang = settings.language;
  if (settings.theme !== "system") host.dataset.theme = settings.theme;
  const shadow = host.attachShadow({ mode: "closed" });
  // Not a style element: the host's policy may forbid those.
  const styles = new CSSStyleSheet();
  styles.replaceSync(__WIDGET_STYLES__);
  const colours = new CSSStyleSheet();
  shadow.adoptedStyleSheets = [styles, colours];
  place(host, tag, settings);
  // The host may have changed its colours when the chat is opened again.
  const recolour = () => applyAccent(shadow, colours);
  recolour();
  mount(Widget, { target: shadow, props: { settings, bridge, recolour } });
}

function place(host: HTMLElement, tag: Element, settings: Settings): void {
  if (settings.mode === "popup") document.body.append(host);
  else if (settings.target) document.querySelector(settings.target)?.append(host);
  else if (tag.parentElement && tag.parentElement !== document.head) tag.after(host);
  else document.body.append(host);
}

const tag = document.currentScript as HTMLScriptElement | null;
const page = window as unknown as { Saegim?: unknown };
if (tag) {
  const bridge = new Bridge();
  // `Saegim` drives the first chat of the page.
  if (page.Saegim === undefined || Array.isArray(page.Saegim)) {
    const queued = page.Saegim ?? [];
    page.Saegim = bridge.api;
    bridge.replay(queued);
  }
  const settings = readSettings(tag.dataset, tag.src, navigator.language);
  const run = () => start(settings, tag, bridge);
  if (document.body && document.readyState !== "loading") run();
  else addEventListener("DOMContentLoaded", run, { once: true });
}
