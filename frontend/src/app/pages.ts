// The pages of the application by the first part of their path. Each is loaded when it is first shown.
import type { Component } from "svelte";
import { loadTexts } from "$lib/texts.ts";

export interface Page {
  name: string;
  load: () => Promise<{ default: Component }>;
}

export const PAGES: Page[] = [
  { name: "chat", load: () => import("../pages/chat/ChatPage.svelte") },
  { name: "memory", load: () => import("../pages/memory/MemoryPage.svelte") },
  { name: "library", load: () => import("../pages/library/LibraryPage.svelte") },
  { name: "settings", load: () => import("../pages/settings/SettingsPage.svelte") },
  {
    name: "shared",
    load: async () => {
      await loadTexts("sharing");
      return import("../pages/sharing/SharedPage.svelte");
    },
  },
  { name: "welcome", load: () => import("../pages/welcome/WelcomePage.svelte") },
];
