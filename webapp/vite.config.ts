import { defineConfig } from "vitest/config";

import { NO_PARSER, shell } from "./bundle.ts";
import { packed } from "./packed.ts";
import { palette } from "./palette.ts";

/**
 * `bundle.js` and `style.css`, which the run's router serves beside the crowd provider's own script, have what the first
 * notice needs and how everything looks; `assets/` has the rest, under names that change with what they hold. In few files:
 * over HTTP/1.1 a browser fetches six at a time, and a slow phone waits half a second for each six.
 */
const PARTS = ["writing", "screening", "checking"];
const SCRIPTS = `<script src="./wrap_crowd_source.js" defer></script>
    <script type="module" src="./bundle.js"></script>`;
const WORK = /src\/(work|words\/Prose|passage|design\/\w+\/|storage\/drafts)/;

export default defineConfig(({ command }) => ({
  base: "./",
  resolve: { alias: command === "build" ? NO_PARSER : {} },
  plugins: [palette(), shell("Beat the AI", SCRIPTS), packed()],
  build: {
    rolldownOptions: {
      input: { bundle: "src/main.tsx" },
      output: {
        entryFileNames: "bundle.js",
        chunkFileNames: "assets/[name]-[hash].js",
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            ...PARTS.map((name) => ({ name, test: new RegExp(`/src/${name}/`) })),
            { name: "work", test: WORK },
          ],
        },
        assetFileNames: ({ names }) => (names.includes("style.css") ? "style.css" : "assets/[name]-[hash][extname]"),
      },
    },
    cssCodeSplit: false,
    manifest: true, // which files each page takes, for the test of their sizes
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: true,
  },
  test: { include: ["src/**/*.test.ts", "review/**/*.test.ts", "event/**/*.test.ts", "console/**/*.test.ts"], environment: "node", isolate: false, setupFiles: "src/words/english.setup.ts" },
}));
