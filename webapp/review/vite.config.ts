import { bundle } from "../bundle.ts";

/** The reviewers' page: a bundle of its own, which workers never load. */
export default bundle("review", "Review – Beat the AI");
