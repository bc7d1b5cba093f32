// The renderer of answers for `make verify-filter` and tests, beside marked without a sanitizer.
export { Marked } from "marked";
export { loadExtrasOnDemand } from "./extras.ts";
export { render } from "./render.ts";
