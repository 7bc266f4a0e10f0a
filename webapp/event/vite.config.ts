import { defineConfig } from "vite";

import { packed } from "../packed.ts";
import { palette } from "../palette.ts";

/** The page of people's events: a bundle of its own, for phones on a bad connection. */
export default defineConfig({
  root: "event",
  plugins: [palette(), packed()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    lib: {
      entry: "main.tsx",
      name: "beatTheAIEvent",
      formats: ["iife"],
      fileName: () => "bundle.js",
      cssFileName: "style",
    },
    emptyOutDir: true,
    target: "es2022",
  },
});
