/** Catches what goes wrong while rendering: says so, and that no text is lost (drafts lie in the browser). */

import { Component, type ReactNode } from "react";

import { Notice } from "../session/Notice";
import { FAULTS } from "./faults";

export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    FAULTS.keep(error);
  }

  override render() {
    if (!this.state.failed) {
      return this.props.children;
    }
    return (
      <Notice
        title="Something went wrong on this page"
        action={{ name: "Reload the page", run: () => location.reload() }}
      >
        What you submitted and your draft are saved. Reloading brings them back.
      </Notice>
    );
  }
}
