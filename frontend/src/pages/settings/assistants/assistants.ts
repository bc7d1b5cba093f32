// The fields of the editor of an assistant, and the content that they stand for.
import type { AssistantVersionView, ContentBody, RouteConfig } from "$lib/api.ts";
import { listed } from "../words.ts";

export interface Link {
  label: string;
  url: string;
}

/** A model of a connection. */
export interface ChosenModel {
  connection_id: string;
  model: string;
}

/** What can be edited; everything else of the configuration stays as it is. */
export interface Form {
  name: string;
  description: string;
  persona: string;
  policy: string;
  locale: "ko" | "en";
  collections: string[];
  strict: boolean;
  /** Null: all tools of the server. */
  tools: string[] | null;
  starters: string[];
  /** Null: only those whose key names it; empty: everybody. */
  offeredTo: string[] | null;
  links: Link[];
  /** Null: the usual kinds of questions. */
  routes: RouteConfig[] | null;
  /** Null, or without a name: the usual models. */
  model: ChosenModel | null;
}

type Config = Record<string, unknown>;
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function formOf(content: ContentBody): Form {
  const config: Config = content.config ?? {};
  return {
    name: content.name,
    description: String(config.description ?? ""),
    persona: content.persona,
    policy: content.policy ?? "",
    locale: content.locale ?? "ko",
    collections: [...(content.collections ?? [])],
    strict: config.strict === true,
    tools: Array.isArray(config.tools) ? list(config.tools) : null,
    starters: list(config.starters),
    offeredTo: Array.isArray(config.offered_to) ? list(config.offered_to) : null,
    links: ((config.menu_links as Link[] | undefined) ?? []).map(({ label, url }) => ({ label, url })),
    routes: (config.routes as RouteConfig[] | undefined) ?? null,
    model: (config.model as ChosenModel | null | undefined) ?? null,
  };
}

export function contentOf(form: Form, before: ContentBody): ContentBody {
  const config: Config = { ...before.config };
  const set = (name: string, value: unknown, usual: boolean) => {
    if (usual) delete config[name];
    else config[name] = value;
  };
  const starters = form.starters.map((each) => each.trim()).filter(Boolean);
  const links = form.links.filter((each) => each.url.trim());
  set("description", form.description.trim(), form.description.trim() === "");
  set("strict", form.strict, !form.strict);
  set("tools", form.tools, form.tools === null);
  set("starters", starters, starters.length === 0);
  set("offered_to", form.offeredTo, form.offeredTo === null);
  set(
    "menu_links",
    links.map(({ label, url }) => ({ label: label.trim() || url.trim(), url: url.trim() })),
    links.length === 0,
  );
  set("routes", form.routes, form.routes === null);
  const name = form.model?.model.trim() ?? "";
  set("model", { ...form.model, model: name }, name === "");
  return {
    name: form.name.trim(),
    persona: form.persona,
    policy: form.policy,
    locale: form.locale,
    collections: form.collections,
    config,
  };
}

/** Return the draft if there is one, and the published version. Versions are newest first. */
export function current(versions: AssistantVersionView[]): {
  draft: AssistantVersionView | undefined;
  published: AssistantVersionView | undefined;
} {
  return {
    draft: versions.find((each) => each.state === "draft"),
    published: versions.find((each) => each.state === "published"),
  };
}

export function same(one: Form, other: Form): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Words of a kind of question, as typed. */
export const wordsOf = (text: string): string[] => listed(text);
