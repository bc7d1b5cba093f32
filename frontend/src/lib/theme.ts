// Light, dark, or as the system is.
export type Theme = "system" | "light" | "dark";

const KEY = "saegim-theme";

export function theme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function setTheme(chosen: Theme): void {
  if (chosen === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  applyTheme();
}

export function applyTheme(): void {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
