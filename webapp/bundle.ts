/** How a page that is one script and one stylesheet is built: its folder, beside `src/`, has its `main.tsx`. */

import type { Plugin, UserConfig } from "vite";

import { packed } from "./packed.ts";
import { palette } from "./palette.ts";

/** For pages whose server has read the messages: the parser is as large as all else that they need of the library. */
export const NO_PARSER = { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" };

export function bundle(folder: string, title: string, alias: Record<string, string> = {}): UserConfig {
  return {
    root: folder,
    publicDir: "../public",
    resolve: { alias },
    plugins: [palette(), shell(title, '<script src="./bundle.js" defer></script>'), packed()],
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      lib: {
        entry: "main.tsx",
        name: `beatTheAI_${folder}`,
        formats: ["iife"],
        fileName: () => "bundle.js",
        cssFileName: "style",
      },
      emptyOutDir: true,
      target: "es2022",
    },
  };
}

/** Writes the page's `index.html`. `scripts` are what it loads beside its stylesheet. */
export function shell(title: string, scripts: string): Plugin {
  return {
    name: "shell",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "index.html", source: document(title, scripts) });
    },
  };
}

function document(title: string, scripts: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="./style.css" />
    ${scripts}
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;
}
