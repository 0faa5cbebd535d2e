/** How many answers are kept, and for how long: what was added "in the last week" changes with the clock alone. */
const mostKept = 100;
const longestMs = 10 * 60_000;

/** Answers that are given again until something changes. */
export class KeptAnswers<Answer> {
  readonly #answers = new Map<string, Answer>();
  #since = 0;

  clear(): void {
    this.#answers.clear();
  }

  get(question: unknown, answer: () => Answer): Answer {
    const now = Date.now();
    if (this.#answers.size >= mostKept || now - this.#since > longestMs) this.clear();
    if (this.#answers.size === 0) this.#since = now;
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const made = answer();
    this.#answers.set(key, made);
    return made;
  }
}
