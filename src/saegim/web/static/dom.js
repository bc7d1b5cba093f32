// Elements without HTML strings: what people said is only ever text.
import icons from "./icons.json" with { type: "json" };

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; a child that is a string becomes text. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    } else if (name === "data") {
      Object.assign(made.dataset, value);
    } else if (name in made && name !== "list" && name !== "form") {
      made[name] = value;
    } else {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon, which says what it does to those who do not see it. */
export function iconButton(name, label, handler, properties = {}) {
  return el(
    "button",
    { type: "button", className: "quiet square", title: label, "aria-label": label, on: { click: handler }, ...properties },
    icon(name),
  );
}

/** A bar for a share between 0 and 1. */
export function bar(share, label) {
  return el("meter", { min: 0, max: 1, value: Math.max(0, Math.min(1, share)), "aria-label": label });
}
