/** Written by `make webapp` from beat_the_ai.forms.page: change these, not this file. */

/**
 * The records of these modules, by their names.
 */
export interface Records {
  FormQuestion: FormQuestion;
  ShownForm: ShownForm;
  PendingForms: PendingForms;
}
/**
 * A question with the fields of its type; those of other types are null.
 */
export interface FormQuestion {
  id: string;
  type: "choice" | "scale" | "number" | "text" | "date";
  text: string;
  required: boolean;
  shown_when: {
    [k: string]: string[];
  };
  options: string[] | null;
  several: boolean | null;
  lowest: number | null;
  highest: number | null;
  low_label: string | null;
  high_label: string | null;
  at_least: number | null;
  at_most: number | null;
  decimals: boolean | null;
  max_chars: number | null;
}
/**
 * A form with its text as a tree.
 */
export interface ShownForm {
  id: string;
  kind: "consent" | "survey" | "notice";
  title: string;
  text: Node[];
  agree: string;
  decline: string;
  questions: FormQuestion[];
}
/**
 * An element with its children, or a text (its `tag` is empty). Headings begin at h2, below the form's title.
 */
export interface Node {
  tag: string;
  text: string;
  href: string | null;
  children: Node[];
}
/**
 * The forms that the worker has yet to answer, in order, and the notices that end a visit without consent.
 */
export interface PendingForms {
  forms: ShownForm[];
  debriefing: ShownForm[];
}
