/**
 * Answers of the server that describe what administrators see, such as settings: their texts in the language of the
 * document.
 */
import type { ServerTexts } from "./server-texts.js";

/** Where permissions, settings, plugins, schedules, jobs and the like are described. */
const describing =
  /^\/api\/(?:permissions|roles|settings\/schema|plugins|plugins\/catalog|schedules|tools|jobs|jobs\/\d+|scan-folder|health\/checks|libraries|notifications\/choices)(?:\?|$)/;
/** The fields that hold a text for people. */
const shown = new Set(["label", "title", "description", "advice", "hint", "message", "error", "lastError"]);

export function isDescribed(path: string): boolean {
  return describing.test(path);
}

type Texts = Pick<ServerTexts, "said" | "failed">;

/** The same answer with its texts said in the language. What users named themselves, such as their roles, stays. */
export function described(answer: unknown, texts: Texts): unknown {
  if (Array.isArray(answer)) return answer.map((part) => described(part, texts));
  if (typeof answer !== "object" || answer === null) return answer;
  if ("builtin" in answer && answer.builtin === false) return answer;
  const fields = Object.entries(answer).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" && shown.has(name)
      ? texts.said(value)
      : name === "labels"
        ? saidOfChoices(value, texts)
        : described(value, texts),
  ]);
  return { ...Object.fromEntries(fields), ...failure(answer, texts) };
}

/** The words of choices, by their values. */
function saidOfChoices(labels: unknown, texts: Texts): unknown {
  if (typeof labels !== "object" || labels === null) return labels;
  return Object.fromEntries(
    Object.entries(labels).map(([choice, label]: [string, unknown]) => [
      choice,
      typeof label === "string" ? texts.said(label) : label,
    ]),
  );
}

/** Why a job failed, where the reason is an error of the server. */
function failure(answer: object, texts: Texts): { readonly error?: string } {
  if (!("errorCode" in answer) || typeof answer.errorCode !== "string") return {};
  const error = texts.failed(answer.errorCode, "errorDetails" in answer ? answer.errorDetails : undefined);
  return error === undefined ? {} : { error };
}
