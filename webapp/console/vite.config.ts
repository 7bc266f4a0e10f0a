import { bundle } from "../bundle.ts";

/** The requester's console: a bundle of its own, the only one that draws plots. */
export default bundle("console", "Console – Beat the AI");
