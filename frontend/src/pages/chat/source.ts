// Loads what a citation points at.
import { call, type CitationView } from "$lib/api.ts";
import { originalAddress, pageAddress, placeText } from "$lib/place.ts";
import { t } from "$lib/texts.ts";

export interface Source {
  /** Document and section. */
  path?: string;
  /** The page, slide or row. */
  place?: string;
  message?: string;
  quote?: string;
  passages: { id: string; text: string; cited: boolean }[];
  /** The page that shows the source. */
  address?: { href: string; label: string };
  /** The original on another site. */
  original?: string;
  /** The uploaded file: to save, and at its page if browsers can show it. */
  file?: { download: string; page: string | undefined };
}

type ShownTurn = { number: number; message: string; answer: string };

export async function loadSource(citation: CitationView, turns: readonly ShownTurn[]): Promise<Source> {
  const original = /^https?:\/\//.test(citation.url ?? "") ? { original: citation.url ?? "" } : {};
  if (citation.kind === "passage") return { ...(await passage(citation)), ...original };
  if (citation.turn) return earlier(citation.turn);
  if (citation.kind === "memory") return citation.team ? shared(citation.id) : memory(citation.id);
  if (citation.kind === "turn") {
    const found = turns.find((turn) => turn.number === Number(citation.id)) ?? turns[Number(citation.id) - 1];
    return {
      ...(found ? { message: found.message } : {}),
      passages: found ? [{ id: citation.id, text: found.answer, cited: false }] : [],
    };
  }
  const passages = citation.text ? [{ id: citation.id, text: citation.text, cited: false }] : [];
  return { passages, ...original };
}

async function passage(citation: CitationView): Promise<Source> {
  const section = await call("GET /v1/passages/{passage_id}/section", { path: { passage_id: citation.id } });
  const own = section.find((each) => each.passage_id === citation.id) ?? section[0];
  const document = own?.document;
  return {
    path: [...new Set([document?.title ?? citation.document, ...(own?.path ?? [])])]
      .filter(Boolean)
      .join(" › "),
    passages: section.map((each) => ({
      id: each.passage_id,
      text: each.text,
      cited: each.passage_id === citation.id,
    })),
    place: placeText(citation.locator ?? own?.locator),
    ...(document
      ? {
          address: {
            href: `/library/documents/${encodeURIComponent(document.id)}?passage=${citation.id}`,
            label: t("Open in library"),
          },
        }
      : {}),
    ...(document?.has_original
      ? {
          file: {
            download: originalAddress(document),
            page: pageAddress(document, citation.locator ?? own?.locator),
          },
        }
      : {}),
  };
}

async function memory(id: string): Promise<Source> {
  const found = await call("GET /v1/memories/{memory_id}", { path: { memory_id: id } });
  return {
    message: found.content,
    ...(found.quote ? { quote: found.quote } : {}),
    passages: [],
    address: { href: `/memory?id=${id}`, label: t("Edit this memory") },
  };
}

/** A memory that the team shares. */
async function shared(id: string): Promise<Source> {
  const found = await call("GET /v1/team-memory/{team_memory_id}", { path: { team_memory_id: id } });
  const quote = found.contributions.find((each) => each.quote)?.quote;
  return {
    path: t("Team memory"),
    message: found.content,
    ...(quote ? { quote } : {}),
    passages: [],
    address: { href: "/memory?tab=team", label: t("Open the team's memory") },
  };
}

/** A turn of another conversation, which was remembered. */
async function earlier(id: string): Promise<Source> {
  const found = await call("GET /v1/turns/{turn_id}", { path: { turn_id: id } });
  return {
    message: found.message,
    passages: [{ id, text: found.answer ?? "", cited: false }],
    address: { href: `/chat/${found.session_id}?turn=${id}`, label: t("Open the conversation") },
  };
}
