// Why an answer came out as it did: the trace of its turn, drawn.
import { bar, el } from "./dom.js";

/** The elements that show a trace. */
export async function shown(api, say, trace) {
  const items = await named(api, trace.items ?? []);
  return [
    el("h2", {}, say("Why this answer?")),
    way(say, trace),
    considered(say, items),
    tools(say, trace.tools ?? []),
    context(say, trace),
    times(say, trace.spans ?? []),
    calls(say, trace),
  ];
}

function way(say, trace) {
  const routing = trace.routing ?? {};
  const code = coded(say);
  const rows = [[say("Route"), code("route", trace.route)], [say("Reason"), code("reason", routing.reason)]];
  if (routing.standalone) rows.push([say("Search query"), [routing.standalone, ...(routing.variants ?? [])].join(" · ")]);
  if (routing.lookup_source) rows.push([say("Document ID taken from"), code("from", routing.lookup_source)]);
  if (trace.rejected_doc_ids?.length) rows.push([say("Rejected document IDs"), trace.rejected_doc_ids.join(", ")]);
  if (trace.findings) rows.push([say("Confidence"), trace.findings.confidence.toFixed(2)]);
  if (trace.answer) rows.push(...stages(say, trace.answer));
  if (trace.degraded?.length) rows.push([say("Some components were unavailable"), trace.degraded.join(", ")]);
  return facts(rows);
}

/** Who answered: the draft with what it was thought of, its check, and why it was handed on. */
function stages(say, answer) {
  const code = coded(say);
  const rows = [[say("Answer"), [code("choice", answer.choice), code("outcome", answer.outcome)].join(" · ")]];
  if (answer.reasons?.length) rows.push([say("Decided because"), answer.reasons.map((name) => code("because", name)).join(" · ")]);
  if (answer.self_score !== null && answer.self_score !== undefined) rows.push([say("Draft"), answer.self_score.toFixed(2)]);
  if (answer.check) rows.push([say("Check"), `${say.label(answer.check.passed ? "passed" : "notPassed")} · ${say("sentences with evidence")} ${Math.round(100 * (answer.check.coverage ?? 0))}%`]);
  return rows;
}

/** Says a code of the trace; one that has no text is shown as it is. */
function coded(say) {
  return (group, name) => {
    const key = `${group}_${name}`;
    const text = say.label(key);
    return text === key ? `${name ?? ""}` : text;
  };
}

function tools(say, used) {
  if (!used.length) return null;
  const code = coded(say);
  const line = (one) => [code("tool", one.tool), one.provider, code("toolState", one.state), one.reason, `${one.took_ms.toFixed(0)} ms`].filter(Boolean).join(" · ");
  return el("section", {}, el("h3", {}, say("Tools")), el("ul", { className: "plain small" }, ...used.map((one) => el("li", {}, line(one)))));
}

function facts(rows) {
  return el(
    "dl",
    { className: "facts wide" },
    ...rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** Memories by what they say: a trace holds their ids, and nothing of what was said. */
export async function named(api, items) {
  return Promise.all(
    items.map(async (item) => {
      if (item.kind !== "memory") return item;
      try {
        if (item.turn) return { ...item, kind: "episode", title: (await api.json("GET", `/v1/turns/${item.turn}`)).message };
        return { ...item, title: (await api.json("GET", `/v1/memories/${item.id}`)).content };
      } catch {
        return item;
      }
    }),
  );
}

function considered(say, items) {
  const code = coded(say);
  const section = el("section", {}, el("h3", {}, `${say("Candidates")} (${items.length})`));
  if (!items.length) section.append(el("p", { className: "muted" }, say("Nothing was searched.")));
  // Memories and passages are scored on scales of their own.
  const most = (kind) => Math.max(0.001, ...items.filter((one) => one.kind === kind).map((one) => one.signals?.score ?? 0));
  for (const item of items) {
    const used = ["injected", "pinned", "shortened", "taken"].includes(item.fate);
    const signals = Object.entries(item.signals ?? {}).filter(([, value]) => typeof value === "number" && value);
    section.append(
      el(
        "div",
        { className: used ? "item used" : "item" },
        el("div", { className: "row spread" }, el("span", { className: "name" }, item.title), el("span", { className: used ? "badge good" : "badge" }, say.label(`fate_${item.fate}`))),
        bar((item.signals?.score ?? 0) / most(item.kind), "score"),
        el("p", { className: "muted small" }, [code("kind", item.kind), ...signals.map(([name, value]) => `${code("signal", name)} ${value.toFixed(2)}`), `${item.tokens} ${say("tokens")}`].join(" · ")),
      ),
    );
  }
  return section;
}

/** Blocks of a context with their length against what they may have. */
export function context(say, { blocks = [], context: whole = null }) {
  const total = whole?.budget ?? Math.max(1, blocks.reduce((sum, block) => sum + block.budget, 0));
  const used = whole?.tokens ?? blocks.reduce((sum, block) => sum + block.tokens, 0);
  return el(
    "section",
    {},
    el("h3", {}, `${say("Context")} · ${used.toLocaleString()} / ${total.toLocaleString()} ${say("tokens")}`),
    bar(used / total, say("Context")),
    el(
      "div",
      { className: "blocks" },
      ...blocks.map((block) =>
        el(
          "div",
          { className: "block" },
          el("span", {}, say.label(`block_${block.name}`)),
          bar(block.tokens / Math.max(1, block.budget), block.name),
          el("span", { className: "count" }, `${block.tokens} / ${block.budget}${block.dropped ? ` · −${block.dropped}` : ""}`),
        ),
      ),
    ),
  );
}

function times(say, spans) {
  const end = Math.max(1, ...spans.map((span) => span.began_ms + span.took_ms));
  const rows = [...spans].sort((a, b) => a.began_ms - b.began_ms).map((span) => {
    const stretch = el("span", { className: "stretch" });
    stretch.style.marginInlineStart = `${(100 * span.began_ms) / end}%`;
    stretch.style.width = `${Math.max(0.5, (100 * span.took_ms) / end)}%`;
    return el(
      "div",
      { className: "span" },
      el("span", {}, say.label(`span_${span.name}`)),
      el("span", { className: "track" }, stretch),
      el("span", { className: "count" }, `${span.took_ms.toFixed(0)} ms`),
    );
  });
  return el("section", {}, el("h3", {}, say("Time spent")), ...rows);
}

function calls(say, trace) {
  const code = coded(say);
  const made = trace.calls ?? [];
  const cost = Number(trace.cost_usd ?? 0);
  const list = made.map((call) =>
    el(
      "li",
      {},
      el("b", {}, `${code("step", call.step)} `),
      `${code("role", call.role)} · ${call.source === "fallback" ? say("without a model") : call.model}${call.fault ? ` (${code("fault", call.fault)})` : ""} · ${call.input_tokens}+${call.output_tokens} ${say("tokens")} · ${(call.seconds * 1000).toFixed(0)} ms`,
    ),
  );
  const price = cost ? `$${cost.toFixed(5)}` : say("free");
  return el("section", {}, el("h3", {}, `${say("Model calls")} · ${say("Cost")} ${price}`), el("ul", { className: "plain small" }, ...list));
}
