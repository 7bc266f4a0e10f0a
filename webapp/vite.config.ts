import { defineConfig } from "vitest/config";

import { palette } from "./palette.ts";

/** One script and one stylesheet, which the run's router serves beside the crowd provider's own script. */
export default defineConfig({
  plugins: [palette()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    lib: {
      entry: "src/main.tsx",
      name: "beatTheAI",
      formats: ["iife"],
      fileName: () => "bundle.js",
      cssFileName: "style",
    },
    target: "es2022",
    reportCompressedSize: true,
  },
  test: { include: ["src/**/*.test.ts", "review/**/*.test.ts", "event/**/*.test.ts"], environment: "node", isolate: false },
});
