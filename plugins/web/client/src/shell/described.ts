/** Answers of the server that describe what administrators see, such as settings: their texts in the language of the document. */

/** Where permissions, settings, plugins, schedules and the like are described. */
const describing =
  /^\/api\/(?:permissions|roles|settings\/schema|plugins|plugins\/catalog|schedules|tools|jobs|health\/checks|libraries)(?:\?|$)/;
/** The fields that hold a text for people. */
const shown = new Set(["label", "title", "description", "advice"]);

export function isDescribed(path: string): boolean {
  return describing.test(path);
}

/** The same answer with its texts said in the language. What users named themselves, such as their roles, stays. */
export function described(answer: unknown, said: (text: string) => string): unknown {
  if (Array.isArray(answer)) return answer.map((part) => described(part, said));
  if (typeof answer !== "object" || answer === null) return answer;
  if ("builtin" in answer && answer.builtin === false) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" && shown.has(name) ? said(value) : described(value, said),
    ]),
  );
}
