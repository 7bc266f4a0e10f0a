import { bundle, NO_PARSER } from "../bundle.ts";

/** The page of people's events: a bundle of its own, for phones on a bad connection. */
export default bundle("event", "Quizbowl – Beat the AI", NO_PARSER);
