// Providers that can be connected, with what their form asks for.
import type { ModelCheckView, NewModelConnection } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

export type Provider = NewModelConnection["provider"];

interface Preset {
  title: string;
  about: string;
  /** An example in the field of the address; none if it need not be asked. */
  address?: string;
  key: "required" | "optional" | "none";
  /** Where to get a key. */
  keys?: string;
  /** Whether the provider has default models. */
  defaults: boolean;
}

export const PROVIDERS: Record<Provider, Preset> = {
  openai: {
    title: "OpenAI",
    about: N_("GPT models"),
    key: "required",
    keys: "https://platform.openai.com/api-keys",
    defaults: true,
  },
  anthropic: {
    title: "Anthropic",
    about: N_("Claude models"),
    key: "required",
    keys: "https://platform.claude.com/settings/keys",
    defaults: true,
  },
  gemini: {
    title: "Gemini",
    about: N_("Google's models"),
    key: "required",
    keys: "https://aistudio.google.com/apikey",
    defaults: true,
  },
  ollama: {
    title: "Ollama",
    about: N_("Models on your own machine"),
    address: "http://127.0.0.1:11434/v1",
    key: "none",
    defaults: false,
  },
  "openai-compatible": {
    title: N_("Other"),
    about: N_("Any OpenAI-compatible server"),
    address: "https://models.example.com/v1",
    key: "optional",
    defaults: false,
  },
};

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as Provider[];

export function providerTitle(provider: Provider): string {
  return provider === "openai-compatible" ? t("OpenAI-compatible server") : t(PROVIDERS[provider].title);
}

export interface ConnectionFields {
  provider: Provider;
  address: string;
  key: string;
  model: string;
  name: string;
  /** The stored connection that is changed; an empty key keeps its key. */
  id?: string;
}

/** Return what is missing before a connection can be tested, in words; empty if nothing is. */
export function missing(fields: ConnectionFields): string {
  const preset = PROVIDERS[fields.provider];
  if (fields.provider === "openai-compatible" && !fields.address.trim()) return t("Enter the address.");
  if (fields.id) return "";
  if (preset.key === "required" && !fields.key.trim()) return t("Enter the key.");
  if (!preset.defaults && !fields.model.trim()) return t("Choose a model.");
  return "";
}

/** Return the connection to test or save; `tested` are the results of its test. */
export function connectionBody(fields: ConnectionFields, tested: ModelCheckView[] = []): NewModelConnection {
  const text = (value: string) => value.trim() || null;
  return {
    provider: fields.provider,
    base_url: text(fields.address),
    api_key: text(fields.key),
    model: text(fields.model),
    name: text(fields.name),
    connection_id: fields.id ?? null,
    without_tools: tested.some((check) => check.takes_tools !== null)
      ? [...new Set(tested.filter((check) => check.takes_tools === false).map((check) => check.model))]
      : null,
  };
}
