// The chat page: the chat view with its conversations, sources, reasons and context beside it.
import { pageApi } from "./api.js";
import { ChatView } from "./chat.js";
import * as cite from "./cite.js";
import { Controls } from "./controls.js";
import { el, icon, iconButton } from "./dom.js";
import { notice } from "./pages.js";
import { speaking } from "./texts.js";
import * as why from "./why.js";

const root = document.querySelector("#main");
const drawer = document.querySelector("#drawer");
const desk = document.querySelector("#desk");
const say = speaking(root.dataset.language);
// A conversation stays with the assistant that it was begun with, whatever is chosen elsewhere.
const answering = root.dataset.assistantId;
const api = pageApi(answering ? { "Saegim-Assistant": answering } : {});
const tabs = new BroadcastChannel("saegim");
let opener = null;

function open(...children) {
  opener = document.activeElement;
  const close = iconButton("close", say("Close"), shut);
  drawer.replaceChildren(el("div", { className: "row end" }, close), ...children.filter(Boolean));
  drawer.hidden = false;
  desk.classList.add("with-drawer");
  close.focus();
}

function shut() {
  drawer.hidden = true;
  desk.classList.remove("with-drawer");
  opener?.focus?.();
}

document.addEventListener("keydown", (event) => {
  const options = root.querySelector(".switch[open]");
  if (event.key !== "Escape") return;
  if (options) {
    options.open = false;
    options.querySelector("summary").focus();
  } else if (!drawer.hidden) shut();
});

document.addEventListener("click", (event) => {
  const options = root.querySelector(".switch[open]");
  if (options && !options.contains(event.target)) options.open = false;
});

const given = new URLSearchParams(location.search);
const controls = new Controls(api, say, () => view, { open, attaches: "attaches" in root.dataset, chosen: given.getAll("memory"), documents: given.getAll("document") });

const view = new ChatView(root, api, {
  session: root.dataset.session || null,
  language: root.dataset.language,
  name: root.dataset.assistant,
  notice,
  extras: () => controls.body(),
  drafted: (text) => keepDraft(text),
  cite: async (_turn, citation) => open(...(await cite.shown(api, say, citation, view.turns))),
  why: async (turn) => {
    try {
      const { trace } = await api.json("GET", `/v1/turns/${turn.id}/trace`);
      open(...(await why.shown(api, say, trace)));
    } catch (error) {
      notice(error.message, true);
    }
  },
  manage: (records) => [" · ", el("a", { href: records.length === 1 ? `/memory/${records[0].memory_id}` : "/memory" }, say("Show memories"))],
  signedOut: () => el("a", { href: `/sign-in?expired=1&next=${location.pathname}` }, say("Sign in again")),
  told: (event, session) => {
    if (event === "session") history.replaceState(null, "", `/chat/${session}`);
    if (event === "done") {
      document.body.dispatchEvent(new Event("conversations"));
      tabs.postMessage({ session });
      controls.sent();
    }
  },
});

function keepDraft(text) {
  try {
    sessionStorage.setItem("saegim-draft", text);
  } catch {
    // Without storage a draft lives as long as its page.
  }
}

tabs.addEventListener("message", (event) => {
  document.body.dispatchEvent(new Event("conversations"));
  if (event.data.session === view.session) view.refresh().catch(() => {});
});

const list = iconButton("list", say("Conversations"), () => desk.classList.toggle("with-past"), { className: "quiet square only-small" });
const top = root.querySelector(".talk-bar");
top.prepend(list);
top.append(el("span", { className: "grow" }), ...controls.buttons);
if (!answering) view.close(say("The assistant of this conversation is no longer available. "), el("a", { href: "/chat" }, say("Start a new chat")));
view.composer.before.append(...controls.beside);
view.composer.chips.append(controls.chips);

if (view.session) {
  top.append(
    iconButton("forget", say("Delete conversation"), () => {
      const derived = el("input", { type: "checkbox" });
      open(
        el("h2", {}, say("Delete this conversation?")),
        el("label", { className: "check" }, derived, el("span", {}, say("Also forget memories that come only from it"))),
        el(
          "div",
          { className: "row end" },
          el("button", { type: "button", on: { click: shut } }, say("Cancel")),
          el(
            "button",
            {
              type: "button",
              className: "bad",
              on: {
                click: async () => {
                  await api.json("DELETE", `/v1/sessions/${view.session}?derived=${derived.checked}`);
                  location.assign("/chat");
                },
              },
            },
            icon("forget"),
            say("Delete"),
          ),
        ),
      );
    }),
  );
}

let draft = "";
try {
  draft = sessionStorage.getItem("saegim-draft") ?? "";
} catch {
  // As above.
}
if (draft) view.composer.text = draft;
view.composer.focus();
view.load().catch((error) => notice(error.message || say("Could not load the conversation."), true));
window.saegimChat = view;
