// The sections of the settings, with the permissions of which one suffices to see each.
import type { Component } from "svelte";
import type { IconName } from "$components/icons.ts";
import { may } from "$lib/boot.svelte.ts";
import { N_ } from "$lib/texts.ts";

export interface Section {
  name: string;
  label: string;
  icon: IconName;
  permissions: string[];
  load: () => Promise<{ default: Component }>;
}

export const SECTIONS: Section[] = [
  {
    name: "models",
    label: N_("Models"),
    icon: "plug",
    permissions: ["models"],
    load: () => import("./models/ModelsSection.svelte"),
  },
  {
    name: "assistants",
    label: N_("Assistants"),
    icon: "bot",
    permissions: ["assistants:draft"],
    load: () => import("./assistants/AssistantsSection.svelte"),
  },
  {
    name: "sources",
    label: N_("Data sources"),
    icon: "source",
    permissions: ["library:write"],
    load: () => import("./sources/SourcesSection.svelte"),
  },
  {
    name: "channels",
    label: N_("Channels"),
    icon: "channel",
    permissions: ["keys", "guilds"],
    load: () => import("./channels/ChannelsSection.svelte"),
  },
  {
    name: "people",
    label: N_("People"),
    icon: "users",
    permissions: ["members"],
    load: () => import("./people/PeopleSection.svelte"),
  },
  {
    name: "limits",
    label: N_("Limits and budgets"),
    icon: "gauge",
    permissions: ["limits"],
    load: () => import("./limits/LimitsSection.svelte"),
  },
  {
    name: "usage",
    label: N_("Usage"),
    icon: "chart",
    permissions: ["usage"],
    load: () => import("./usage/UsageSection.svelte"),
  },
  {
    name: "quality",
    label: N_("Quality"),
    icon: "quality",
    permissions: ["assistants:draft"],
    load: () => import("./quality/QualitySection.svelte"),
  },
  {
    name: "audit",
    label: N_("Audit and erasure"),
    icon: "shield",
    permissions: ["audit"],
    load: () => import("./audit/AuditSection.svelte"),
  },
  {
    name: "keys",
    label: N_("API keys and webhooks"),
    icon: "key",
    permissions: ["keys"],
    load: () => import("./keys/KeysSection.svelte"),
  },
  {
    name: "account",
    label: N_("Account"),
    icon: "user",
    permissions: ["self"],
    load: () => import("./account/AccountSection.svelte"),
  },
];

export function visibleSections(): Section[] {
  return SECTIONS.filter((section) => section.permissions.some(may));
}
