import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { oneScript, shortClasses } from "./widget-build.js";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const static_ = (name) => path(`../src/saegim/web/static/${name}`);

// The renderer of answers alone, with the sanitizer of the pages or of the widget, for `make verify-filter`.
const renderer = (mode) => ({
  target: "es2022",
  outDir: path(`build/${mode}`),
  emptyOutDir: true,
  lib: { entry: path("src/lib/markdown/standalone.ts"), formats: ["es"], fileName: "renderer" },
});

const ON_DEMAND = /(?:highlight|katex)\.ts$|node_modules\/(?:katex|highlight\.js)/;
const FIRST_LOAD = [
  // What the plain pages share with the application; it must not bring the application itself.
  { name: "theme", test: /src\/(?:lib\/theme\.ts|styles\/(?:tokens|base)\.css)/, priority: 3 },
  {
    name: "base",
    test: (id) =>
      /src\/(?:app|components|lib\/[^/]+)(?:\/|$)|node_modules\/svelte|clients\/typescript/.test(id) &&
      !/src\/(?:app\/main|lib\/(?:korean|markdown|conversation))/.test(id),
    priority: 2,
  },
  {
    name: "chat",
    test: (id) =>
      /src\/(?:pages\/chat|lib\/(?:markdown|conversation))\/|node_modules\/(?:marked|dompurify)/.test(id) &&
      !ON_DEMAND.test(id),
    priority: 1,
  },
];

// Two builds: the pages as modules that load each other, and the widget as one script.
export default defineConfig(({ mode }) => ({
  plugins:
    mode === "widget"
      ? [svelte({ compilerOptions: { cssHash: shortClasses() } }), oneScript(path("src"), path("src/widget/main.ts"))]
      : [svelte()],
  // Relative, so that the files work below any `/static/VERSION/`.
  base: "./",
  resolve: {
    alias: {
      $lib: path("src/lib"),
      $components: path("src/components"),
      $client: path("../clients/typescript/src"),
      ...(mode.startsWith("widget") ? { dompurify: path("src/widget/sanitize.ts") } : {}),
    },
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  server: { fs: { allow: [path("..")] } },
  build:
    mode.endsWith("renderer")
      ? renderer(mode)
      : mode === "widget"
      ? {
          target: "es2022",
          outDir: static_("widget"),
          emptyOutDir: true,
          cssCodeSplit: false,
          rollupOptions: {
            input: { widget: path("src/widget/main.ts") },
            output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]", format: "iife" },
          },
        }
      : {
          target: "es2022",
          outDir: static_("app"),
          emptyOutDir: true,
          manifest: "manifest.json",
          // The policy allows no inline scripts; browsers of the last years preload modules themselves.
          modulePreload: { polyfill: false },
          assetsInlineLimit: 0,
          rollupOptions: {
            input: { app: path("src/app/main.ts"), plain: path("src/styles/plain.ts") },
            output: {
              entryFileNames: "[name].js",
              chunkFileNames: "chunks/[name]-[hash].js",
              assetFileNames: "assets/[name]-[hash][extname]",
              // Two files for a first visit: many small ones cost more time than their bytes.
              codeSplitting: { groups: FIRST_LOAD },
            },
          },
        },
  test: { environment: "happy-dom", isolate: false, include: ["src/**/*.test.ts"] },
}));
