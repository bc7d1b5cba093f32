// Questions of an evaluation as lines of text, and states of runs in words.
import { t } from "$lib/texts.ts";

export interface Question {
  question: string;
  expected: string;
}

export const MOST_QUESTIONS = 200;

/** Read lines of "question | expected"; `wrong` is the number of the first line that is none. */
export function read(text: string): { questions: Question[]; wrong: number | undefined } {
  const questions: Question[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (!line.trim()) continue;
    const at = line.lastIndexOf("|");
    const question = line.slice(0, Math.max(at, 0)).trim();
    const expected = line.slice(at + 1).trim();
    if (!question || !expected) return { questions, wrong: index + 1 };
    questions.push({ question, expected });
  }
  return { questions, wrong: undefined };
}

export const written = (questions: Question[]): string =>
  questions.map((each) => `${each.question} | ${each.expected}`).join("\n");

export const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.round(share * 100)}%`;

export function comparison(of: { questions: number; right: number; right_before: number }): string {
  return t(
    "Of {count} questions that the run before also had, {right} are right now, {before} were before.",
    {
      count: of.questions,
      right: of.right,
      before: of.right_before,
    },
  );
}
