/** The text of the previews' samples. It is this project's own. */

export const LIGHTHOUSE = {
  title: "The lighthouse at Grey Point",
  text:
    "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
    "up 162 steps every evening.",
};
