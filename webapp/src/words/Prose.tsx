/**
 * A text of the requester: a tree of elements that the server made from Markdown, and nothing but these elements.
 */

import { Fragment, type ReactNode, createElement } from "react";

import type { Node } from "./records";

const TAGS = new Set(
  "p h2 h3 h4 h5 h6 ul ol li strong em code pre blockquote table thead tbody tr th td hr br".split(" "),
);
const EMPTY = new Set(["hr", "br"]);

export function Prose({ nodes }: { nodes: readonly Node[] }): ReactNode {
  return nodes.map((node, number) => (
    <Fragment key={number}>{shown(node)}</Fragment>
  ));
}

function shown({ tag, text, href, children }: Node): ReactNode {
  if (tag === "") {
    return text;
  }
  if (tag === "a" && href !== null) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        <Prose nodes={children} />
      </a>
    );
  }
  if (EMPTY.has(tag)) {
    return createElement(tag);
  }
  return createElement(TAGS.has(tag) ? tag : Fragment, null, <Prose nodes={children} />);
}
