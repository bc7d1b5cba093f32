// The plain pages: sign-in, invitation, set-up, errors. Their forms work without this script.
import { setTheme } from "$lib/theme.ts";
import "./tokens.css";
import "./base.css";
import "./plain.css";

const button = document.querySelector<HTMLButtonElement>("#theme");
const system = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** The button offers the other theme. */
function label(): void {
  if (button) button.textContent = (isDark() ? button.dataset.light : button.dataset.dark) ?? "";
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const other = isDark() ? "light" : "dark";
    // Choosing what the system has is to follow the system again.
    setTheme((other === "dark") === system.matches ? "system" : other);
    label();
  });
  system.addEventListener("change", label);
  label();
}
