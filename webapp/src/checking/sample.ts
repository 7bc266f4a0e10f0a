/** The text of the previews' samples. It is this project's own. */

export const CLOCK = {
  title: "The clock of Saint Odile",
  text:
    "The clock of Saint Odile has only one hand. When the other fell into the square during the fair of 1893, the mayor kept " +
    "it as a paperweight, and the baker Anton Reiss, whose shop lay below, rang a bell every quarter of an hour instead. His " +
    "granddaughter still does, though not on Sundays.",
};
