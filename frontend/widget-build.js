// The widget is one script: its styles, icons and Korean texts are those that it uses.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

// As in `scripts/texts.py`.
const TEXT = /\b(?:t|N_)\(\s*("(?:[^"\\\n]|\\.)*")/g;
const REM = /(\d*\.?\d+)rem\b/g;
const IMPORT = /(?:from|import) "((?:\.\.?|\$lib|\$components)\/[^"]+)"/g;
const ICON = /^ {2}"?([\w-]+)"?:\s*("[^"]*"),$/gm;

/** `source` is the folder of the modules, `entry` the first one. */
export function oneScript(source, entry) {
  const modules = reached(source, entry);
  return {
    name: "saegim-widget",
    enforce: "pre",
    transform(code, id) {
      if (id.endsWith("/components/icons.ts")) return { code: usedIcons(code, modules), map: null };
      return undefined;
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        let styles = "";
        for (const [name, file] of Object.entries(bundle)) {
          if (!name.endsWith(".css")) continue;
          styles += file.source;
          delete bundle[name];
        }
        // A host page may have any root font size.
        styles = styles.replace(REM, (_, size) => `${Number(size) * 16}px`);
        const shared = JSON.parse(readFileSync(join(source, "lib/korean/shared.json"), "utf-8"));
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          const korean = usedTexts(shared, modules, file.code);
          file.code = file.code
            .replace("__WIDGET_STYLES__", () => JSON.stringify(styles))
            .replace("__WIDGET_KOREAN__", () => JSON.stringify(korean));
        }
      },
    },
  };
}

/** Name the classes of components by number, which is shorter than a hash. */
export function shortClasses() {
  const numbers = new Map();
  return ({ filename }) => {
    if (!numbers.has(filename)) numbers.set(filename, numbers.size);
    return `s${numbers.get(filename).toString(36)}`;
  };
}

/** Return the text of each module that the entry imports, directly or not. */
function reached(source, entry) {
  const found = new Map();
  const waiting = [entry];
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (found.has(path) || !/\.(ts|svelte)$/.test(path) || !existsSync(path)) continue;
    const text = readFileSync(path, "utf-8");
    found.set(path, text);
    for (const [, name] of text.matchAll(IMPORT)) {
      waiting.push(name.startsWith("$") ? join(source, name.slice(1)) : join(dirname(path), name));
    }
  }
  return found;
}

/** Return the texts of the modules that are left in the script. */
function usedTexts(korean, modules, script) {
  const used = new Set();
  for (const text of modules.values())
    for (const [, quoted] of text.matchAll(TEXT)) if (script.includes(quoted.slice(1, -1))) used.add(JSON.parse(quoted));
  return Object.fromEntries([...used].sort().flatMap((text) => (korean[text] ? [[text, korean[text]]] : [])));
}

/** Keep the icons whose name is a text of some module, and not of a class. */
function usedIcons(code, modules) {
  const others = [...modules]
    .filter(([path]) => !path.endsWith("/icons.ts"))
    .map(([, text]) => text.replace(/class="[^"]*"/g, ""));
  const used = (name) => others.some((text) => text.includes(`"${name}"`));
  return code.replace(/\n\s+"M/g, ' "M').replace(/\n\s+"m/g, ' "m').replace(ICON, (line, name) => (used(name) ? line : ""));
}
