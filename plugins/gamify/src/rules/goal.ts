import type { Counted } from "../counting/counting.js";

/** How many items a user wants to finish, from a year on. 0: no goal. */
export interface GoalChoice {
  readonly year: number;
  readonly target: number;
}

/** The goal of a year: that of the last earlier year stays until another is chosen. */
export function targetOf(choices: readonly GoalChoice[], year: number): number {
  return choices.toSorted((one, other) => one.year - other.year).findLast((choice) => choice.year <= year)?.target ?? 0;
}

/** How many items were finished in a year of the user's days. */
export function finishedIn(counted: readonly Counted[], year: number): number {
  return counted.reduce((sum, { day, finished }) => (Number(day.slice(0, 4)) === year ? sum + finished : sum), 0);
}

/** When the goal of each year was reached, oldest first. */
export function goalsReached(counted: readonly Counted[], choices: readonly GoalChoice[]): number[] {
  const finished = new Map<number, number>();
  return counted.flatMap((entry) => {
    const year = Number(entry.day.slice(0, 4));
    const target = targetOf(choices, year);
    const before = finished.get(year) ?? 0;
    finished.set(year, before + entry.finished);
    return target > 0 && before < target && before + entry.finished >= target ? [entry.at] : [];
  });
}
