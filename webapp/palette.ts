import type { Plugin } from "vite";

import colours from "../src/beat_the_ai/web/palette.json" with { type: "json" };

const NAME = "virtual:palette.css";

/** The project's palette as CSS custom properties, the same that `beat_the_ai.web.palette` writes: `ink` is `var(--ink)`. */
export function palette(): Plugin {
  return {
    name: "palette",
    resolveId: (id) => (id === NAME ? NAME : null),
    load: (id) => (id === NAME ? stylesheet() : null),
  };
}

function stylesheet(): string {
  const dark = `@media (prefers-color-scheme: dark) { :root { ${properties("dark")} } }`;
  return `:root { color-scheme: light dark; ${properties("light")} }\n${dark}\n`;
}

function properties(scheme: "light" | "dark"): string {
  return Object.entries(colours)
    .map(([name, values]) => `--${name}: ${values[scheme]};`)
    .join(" ");
}
