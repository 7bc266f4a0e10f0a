/** Catches what goes wrong while rendering, says so, and reports it. */

import { Component, type ReactNode } from "react";

import { Notice } from "../session/Notice";
import { say } from "../words/say";
import { FAULTS } from "./faults";

interface Props {
  /** What a reload loses nothing of. */
  kept: string;
  children: ReactNode;
}

export class Boundary extends Component<Props, { failed: boolean }> {
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
        title={say("faults.title")}
        action={{ name: say("faults.reload"), run: () => location.reload() }}
      >
        {this.props.kept}
      </Notice>
    );
  }
}
