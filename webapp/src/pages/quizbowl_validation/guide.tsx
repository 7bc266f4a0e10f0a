/** What the work is, what it pays, and how questions are played. The examples are this project's own. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import type { Guide } from "../../work/guide/guide";

export const AIM = "Stop each question as soon as you know what it asks for, and say it.";

export function playingGuide(terms: Terms): Guide {
  return {
    name: "quizbowl_validation",
    chapters: [
      { title: "The work", body: <Work /> },
      payChapter(terms, "answers", "answered"),
      { title: "Good to know", body: <GoodToKnow /> },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <strong>{AIM}</strong> Questions go from hard to easy: first what only experts know, at the end what gives it away.
      </p>
      <ol className="steps">
        <li>
          <strong>Start the reading.</strong> Words appear one by one, at the speed that you choose, or whenever you
          ask for the next.
        </li>
        <li>
          <strong>Buzz</strong> when you know the answer: earlier is better, but you have one answer only.
        </li>
        <li>
          <strong>Say it.</strong> A name is enough, and small slips of the keyboard are forgiven. If you do not know it,
          say so.
        </li>
      </ol>
    </>
  );
}

function GoodToKnow() {
  return (
    <ul className="reasons">
      <li>Please answer from what you know. Looking things up makes what we learn from your answers worthless.</li>
      <li>After the buzz take the time that you need. A saved answer stands.</li>
      <li>An AI failed on some of the questions, and others come from ordinary quizzes. They are shuffled.</li>
      <li>If you leave a question, or reload the page, the reading resumes where it left off.</li>
      <li>We keep your answer and the word at which you buzzed. They may be published without your name.</li>
    </ul>
  );
}
