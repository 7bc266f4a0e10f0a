/** Leaves every text file of a build in two packed forms beside it, `.br` and `.gz`, which the servers send as they are. */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { Plugin } from "vite";

const TEXT = /\.(css|html|js|svg)$/;
const WORTH_BYTES = 512;

export function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir }) {
      for (const name of readdirSync(dir ?? "", { recursive: true, encoding: "utf8" })) {
        if (TEXT.test(name)) {
          pack(join(dir ?? "", name));
        }
      }
    },
  };
}

function pack(path: string) {
  const content = readFileSync(path);
  if (content.length < WORTH_BYTES) {
    return;
  }
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
