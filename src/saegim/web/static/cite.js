// What a marker points at, opened beside the answer: a passage in its section, a memory, a turn.
import { el, icon } from "./dom.js";
import { render } from "./markdown.js";

/** The elements that show a citation. */
export async function shown(api, say, citation, turns = []) {
  const title = el("h2", {}, citation.title || citation.marker);
  try {
    if (citation.kind === "passage") return [title, ...(await passage(api, say, citation))];
    if (citation.turn) return [title, ...(await earlier(api, say, citation))];
    if (citation.kind === "memory") return [title, ...(await memory(api, citation))];
    if (citation.kind === "turn") return [title, ...turn(citation, turns)];
  } catch (error) {
    // What was forgotten since is cited by its title alone.
    return error.status === 404 ? [title] : [title, el("p", { className: "note bad" }, error.message)];
  }
  return [title, ...link(say, citation)];
}

async function passage(api, say, citation) {
  const places = await api.json("GET", `/v1/passages/${citation.id}/section`);
  const path = places[0]?.path ?? [];
  return [
    el("p", { className: "muted small" }, [citation.document, ...path].filter(Boolean).join(" › ")),
    el(
      "div",
      { className: "section prose" },
      ...places.map((place) => el("div", { className: place.passage_id === citation.id ? "passage cited" : "passage" }, render(place.text))),
    ),
    ...link(say, citation),
  ];
}

async function memory(api, citation) {
  const found = await api.json("GET", `/v1/memories/${citation.id}`);
  return [
    el("p", { className: "quoted" }, found.content),
    found.quote ? el("blockquote", { className: "muted" }, found.quote) : null,
    el("p", {}, el("a", { className: "button quiet", href: `/memory/${citation.id}` }, icon("edit"), found.type)),
  ];
}

/** A turn of another conversation, which was remembered. */
async function earlier(api, say, citation) {
  const found = await api.json("GET", `/v1/turns/${citation.turn}`);
  return [
    el("p", { className: "bubble" }, found.message),
    el("div", { className: "prose" }, render(found.answer ?? "")),
    el("p", {}, el("a", { className: "button quiet", href: `/chat/${found.session_id}` }, icon("chat"), say("Open the conversation"))),
  ];
}

function turn(citation, turns) {
  const found = turns[Number(citation.id) - 1];
  if (!found) return [];
  return [el("p", { className: "bubble" }, found.message), el("div", { className: "prose" }, render(found.text))];
}

function link(say, citation) {
  if (!/^https?:\/\//.test(citation.url ?? "")) return [];
  return [el("p", {}, el("a", { className: "button quiet", href: citation.url, target: "_blank", rel: "noopener noreferrer" }, say("Open the original")))];
}
