import { defineConfig } from "vite";

import { packed } from "../packed.ts";
import { palette } from "../palette.ts";

/** The reviewers' page: a bundle of its own, which workers never load. */
export default defineConfig({
  root: "review",
  plugins: [palette(), packed()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    lib: {
      entry: "main.tsx",
      name: "beatTheAIReview",
      formats: ["iife"],
      fileName: () => "bundle.js",
      cssFileName: "style",
    },
    emptyOutDir: true,
    target: "es2022",
  },
});
