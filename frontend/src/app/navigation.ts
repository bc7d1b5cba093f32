// The entries of the navigation that the user may see.
import type { IconName } from "$components/icons.ts";
import { may } from "$lib/boot.svelte.ts";
import { N_, t } from "$lib/texts.ts";

export interface Entry {
  name: string;
  href: string;
  label: string;
  icon: IconName;
}

const ENTRIES: { name: string; label: string; icon: IconName; permissions: string[] }[] = [
  { name: "chat", label: N_("Chat"), icon: "chat", permissions: ["chat"] },
  { name: "memory", label: N_("Memory"), icon: "memory", permissions: ["self"] },
  { name: "library", label: N_("Library"), icon: "library", permissions: ["library:read"] },
  {
    name: "settings",
    label: N_("Settings"),
    icon: "settings",
    permissions: ["self"],
  },
];

export function entries(): Entry[] {
  return ENTRIES.filter((entry) => entry.permissions.some(may)).map(({ name, label, icon }) => ({
    name,
    href: `/${name}`,
    label: t(label),
    icon,
  }));
}
