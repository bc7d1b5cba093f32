import { mount } from "svelte";
import "../styles/tokens.css";
import "../styles/base.css";
import { whenChanged } from "$lib/api.ts";
import { boot, refreshBoot } from "$lib/boot.svelte.ts";
import { segments, startRouter } from "$lib/router.svelte.ts";
import { setLanguage } from "$lib/texts.ts";
import App from "./App.svelte";
import { PAGES } from "./pages.ts";
import "./app.css";

await setLanguage(boot().language);
startRouter(PAGES.map((page) => page.name));
// Models, assistants and the account are changed on these pages.
whenChanged(() => {
  if (segments()[0] === "settings" || segments()[0] === "welcome") void refreshBoot();
});
const target = document.getElementById("app");
if (target) mount(App, { target });

// Installs the application and its offline page; it works without.
if (import.meta.env.PROD) void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined);
