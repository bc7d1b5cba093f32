// The colours that the host set on `saegim-widget`: --saegim-accent, --saegim-paper, --saegim-font.
import { palette, parse, readablePaper, type Colour, type Palette } from "./colours.ts";

/** Ink and paper of `tokens.css`. */
const TOKENS = {
  light: { ink: "#1f2228", paper: "#fbfaf8" },
  dark: { ink: "#eceae6", paper: "#131417" },
} as const;
type Theme = keyof typeof TOKENS;

/** Write the colours that follow from those of the host into a style sheet of the widget. */
export function applyAccent(shadow: ShadowRoot, sheet: CSSStyleSheet): void {
  const light = coloursOf(shadow, "light");
  const dark = coloursOf(shadow, "dark");
  const rules = [`--paper: light-dark(${light.paper}, ${dark.paper})`];
  const pair = (name: string, key: keyof Palette) => {
    if (light.accents && dark.accents)
      rules.push(`${name}: light-dark(${light.accents[key]}, ${dark.accents[key]})`);
  };
  pair("--accent", "accent");
  pair("--accent-fill", "accentFill");
  pair("--accent-soft", "accentSoft");
  pair("--on-accent", "onAccent");
  sheet.replaceSync(`:host { ${rules.join("; ")} }`);
}

function coloursOf(shadow: ShadowRoot, theme: Theme): { paper: string; accents: Palette | undefined } {
  const wanted = hostColour(shadow, "--saegim-paper", theme);
  const ink = parse(TOKENS[theme].ink);
  const paper = wanted && ink && readablePaper(wanted, ink) ? wanted : undefined;
  const accent = hostColour(shadow, "--saegim-accent", theme);
  return {
    paper: paper ? "var(--saegim-paper)" : TOKENS[theme].paper,
    accents: accent && palette(accent, theme, paper),
  };
}

/** Return a variable of the host as a colour, in whatever notation it is written. */
function hostColour(shadow: ShadowRoot, name: string, theme: Theme): Colour | undefined {
  if (getComputedStyle(shadow.host).getPropertyValue(name).trim() === "") return undefined;
  const probe = document.createElement("span");
  probe.style.setProperty("color-scheme", theme);
  // A mix is computed to numbers, also where the host uses names, hsl() or oklch().
  probe.style.setProperty("color", `color-mix(in srgb, var(${name}) 100%, black)`);
  shadow.append(probe);
  const found = parse(getComputedStyle(probe).color);
  probe.remove();
  return found;
}
