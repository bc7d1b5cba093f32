// Colours for the languages that answers of a copilot contain most.
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  bash, css, diff, go, ini, java, javascript, json, python, sql, typescript, xml, yaml,
}; // prettier-ignore
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);

/** Return the code as HTML with classes; undefined for a language that is not among these. */
export function highlight(code: string, language: string): string | undefined {
  if (!highlighter.getLanguage(language)) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
