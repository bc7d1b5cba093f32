// What every page has: the theme button, notices, forms that empty themselves, sources of memories.
import { pageApi } from "./api.js";
import { el } from "./dom.js";
import { render } from "./markdown.js";

const NOTICE_MS = 3500;

export function notice(text, bad = false) {
  const shown = el("p", { className: bad ? "notice bad" : "notice" }, text);
  document.querySelector("#notices").append(shown);
  setTimeout(() => shown.remove(), NOTICE_MS);
}

document.querySelector("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("saegim-theme", root.dataset.theme);
});

document.body.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target.closest?.("form[data-resets]");
  if (form && event.detail.successful) form.reset();
});

// A secret is shown once: the next request takes it away, whether it succeeds or not.
document.body.addEventListener("htmx:beforeRequest", () => {
  for (const shown of document.querySelectorAll("[data-once]")) shown.remove();
});

document.body.addEventListener("htmx:responseError", (event) => {
  const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  notice(page.body.textContent.trim().slice(0, 300), true);
});

// Passages are Markdown: shown as what they mean, by the same module as answers.
function renderPassages(root) {
  for (const passage of root.querySelectorAll("[data-prose]")) {
    const shown = el("div", { className: "passage prose", id: passage.id });
    shown.append(render(passage.textContent));
    passage.replaceWith(shown);
  }
}

renderPassages(document);
document.body.addEventListener("htmx:afterSwap", (event) => renderPassages(event.target));

// A chosen year of the timeline is the filter's year.
document.addEventListener("click", (event) => {
  const year = event.target.closest?.("[data-year]");
  const filter = document.querySelector("#year");
  if (!year || !filter) return;
  filter.value = year.dataset.year;
  filter.dispatchEvent(new Event("change", { bubbles: true }));
});

// Where a memory comes from: the turn, under its card.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-turn]");
  if (!button) return;
  const place = button.closest("article").querySelector(".history");
  try {
    const turn = await pageApi().json("GET", `/v1/turns/${button.dataset.turn}`);
    const link = el("a", { className: "quiet", href: `/chat/${turn.session_id}` }, "→");
    place.replaceChildren(el("div", { className: "said prose" }, el("p", { className: "bubble" }, turn.message), render(turn.answer ?? ""), link));
  } catch (error) {
    place.replaceChildren(el("p", { className: "note bad" }, error.message));
  }
});
