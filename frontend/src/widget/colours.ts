// The host's accent colour, and what is derived from it so that every text has a contrast of 4.5:1.

/** Red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

export interface Palette {
  accent: string;
  accentFill: string;
  accentSoft: string;
  onAccent: string;
}

/** WCAG 2.2, success criterion 1.4.3. */
export const READABLE = 4.5;
const WHITE: Colour = [1, 1, 1];
const BLACK: Colour = [0, 0, 0];
/** The grounds of `tokens.css` on which text of the accent colour stands. */
const GROUNDS = {
  light: ["#fbfaf8", "#ffffff", "#f3f1ed"],
  dark: ["#131417", "#1b1d22", "#23262c"],
} as const;
const SOFT = { light: 0.1, dark: 0.22 } as const;
const STEP = 0.04;

/** Read `#abc`, `#aabbcc`, `rgb(1 2 3)` or the `color(srgb 0.1 0.2 0.3)` of computed styles. */
export function parse(text: string): Colour | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map((pair) => parseInt(pair, 16) / 255) as unknown as Colour;
  }
  const found = /^(rgb|color)a?\((?:srgb )?([\d.e-]+)[\s,]+([\d.e-]+)[\s,]+([\d.e-]+)/i.exec(text.trim());
  if (!found) return undefined;
  const scale = found[1]?.toLowerCase() === "rgb" ? 255 : 1;
  const channel = (value = "0") => Math.min(1, Math.max(0, Number(value) / scale));
  return [channel(found[2]), channel(found[3]), channel(found[4])];
}

/** Return a mix of two colours; `share` is that of the first. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const channel = (at: 0 | 1 | 2) => first[at] * share + second[at] * (1 - share);
  return [channel(0), channel(1), channel(2)];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as unknown as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Return the contrast of two colours, from 1 to 21. */
export function contrast(first: Colour, second: Colour): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

export function toHex(colour: Colour): string {
  return `#${colour
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** Return the colours of a theme. A fill keeps the accent; text of that colour is corrected until it is readable. */
export function palette(accent: Colour, theme: "light" | "dark", paper?: Colour): Palette {
  const grounds = [...GROUNDS[theme].map((ground) => parse(ground) ?? WHITE), ...(paper ? [paper] : [])];
  const soft = rounded(mix(accent, grounds[1] ?? WHITE, SOFT[theme]));
  const towards = theme === "light" ? BLACK : WHITE;
  const readable = (colour: Colour) =>
    [...grounds, soft].every((ground) => contrast(colour, ground) >= READABLE);
  let text = rounded(accent);
  for (let share = 1 - STEP; !readable(text) && share >= 0; share -= STEP) {
    text = rounded(mix(accent, towards, share));
  }
  const white = contrast(WHITE, accent) >= READABLE;
  return {
    accent: toHex(text),
    accentFill: toHex(accent),
    accentSoft: toHex(soft),
    onAccent: toHex(white ? WHITE : BLACK),
  };
}

/** A paper on which the ink of the theme cannot be read is not used. */
export function readablePaper(paper: Colour, ink: Colour): boolean {
  return contrast(paper, ink) >= 7;
}

/** Colours are shown with 8 bits; a contrast must hold after rounding. */
function rounded(colour: Colour): Colour {
  return parse(toHex(colour)) ?? colour;
}
