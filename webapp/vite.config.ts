import { defineConfig } from "vitest/config";

import { packed } from "./packed.ts";
import { palette } from "./palette.ts";

/**
 * `bundle.js` and `style.css`, which the run's router serves beside the crowd provider's own script, have what every page
 * needs; `assets/` has the rest, by page, under names that change with what they hold.
 */
export default defineConfig({
  base: "./",
  plugins: [palette(), packed()],
  build: {
    rolldownOptions: {
      input: { bundle: "src/main.tsx" },
      output: {
        entryFileNames: "bundle.js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: ({ names }) => (names.includes("bundle.css") ? "style.css" : "assets/[name]-[hash][extname]"),
      },
    },
    manifest: true, // which files each page takes, for the test of their sizes
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: true,
  },
  test: { include: ["src/**/*.test.ts", "review/**/*.test.ts", "event/**/*.test.ts"], environment: "node", isolate: false },
});
