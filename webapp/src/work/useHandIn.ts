/** The way of a HIT to the server: nothing is lost on it, and it can be tried again. */

import { useState } from "react";

import type { WorkProps } from "../pages/page";
import { say } from "../words/say";

export type Delivery = { state: "none" | "submitting" | "waiting" } | { state: "failed"; message: string };

export interface HandingIn {
  delivery: Delivery;
  /** Whether the server has taken it. */
  handIn: (...parts: HandInParts) => Promise<boolean>;
}

type HandInParts = [finalData: Readonly<Record<string, unknown>>, next?: string];

export function useHandIn(finish: WorkProps["finish"]): HandingIn {
  const [delivery, setDelivery] = useState<Delivery>({ state: "none" });
  const handIn = async (...[finalData, next]: HandInParts) => {
    setDelivery({ state: "submitting" });
    try {
      await finish(finalData, () => setDelivery({ state: "waiting" }), next);
      return true;
    } catch (error) {
      setDelivery({ state: "failed", message: error instanceof Error ? error.message : String(error) });
      return false;
    }
  };
  return { delivery, handIn };
}

export function isUnderWay({ state }: Delivery): boolean {
  return state === "submitting" || state === "waiting";
}

/** What is said of it; nothing while all goes well. */
export function deliveryWords(delivery: Delivery): string {
  switch (delivery.state) {
    case "waiting":
      return say("work.hand_in.waiting");
    case "failed":
      return say("work.hand_in.failed", { message: delivery.message });
    default:
      return "";
  }
}
