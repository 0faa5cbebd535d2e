import { measures, type Facts, type MeasureName, type Reached } from "./measures.js";

interface Rule {
  /** Also the name of its drawing in the web interface. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly measure: MeasureName;
  readonly target: number;
}

/** An achievement, and how far a user is with it. */
export interface Achievement {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** ISO 8601. */
  readonly earnedAt?: string;
  readonly progress: number;
  readonly target: number;
}

const rules: readonly Rule[] = [
  rule("first-page", "First page", "Read your first page", ["pages", 1]),
  rule("first-finish", "The end", "Finish something", ["finished", 1]),
  rule("shelf", "A shelf of your own", "Finish 25 items", ["finished", 25]),
  rule("bookcase", "Bookcase", "Finish 100 items", ["finished", 100]),
  rule("library", "Walking library", "Finish 500 items", ["finished", 500]),
  rule("thousand", "A thousand pages", "Read 1,000 pages", ["pages", 1000]),
  rule("ten-thousand", "Ten thousand pages", "Read 10,000 pages", ["pages", 10_000]),
  rule("tome", "Heavy lifting", "Finish something of 200 pages or more", ["longWorks", 1]),
  rule("listener", "All ears", "Listen for 24 hours", ["hours", 24]),
  rule("week", "Seven days", "Read on seven days in a row", ["streak", 7]),
  rule("month", "Thirty days", "Read on 30 days in a row", ["streak", 30]),
  rule("season", "A hundred days", "Read on 100 days in a row", ["streak", 100]),
  rule("regular", "Regular", "Read on 200 days, in a row or not", ["days", 200]),
  rule("weekends", "Slow weekends", "Read on both days of ten weekends", ["weekends", 10]),
  rule("comeback", "Welcome back", "Come back after a month without reading", ["comebacks", 1]),
  rule("explorer", "Explorer", "Begin 20 series", ["series", 20]),
  rule("devoted", "Devoted", "Finish ten items of one series", ["ofOneSeries", 10]),
  rule("decades", "Time traveller", "Read from five decades", ["decades", 5]),
  rule("types", "All kinds", "Read from three types of libraries", ["types", 3]),
  rule("languages", "Two tongues", "Read in two languages", ["languages", 2]),
  rule("quests", "Adventurer", "Complete ten quests", ["quests", 10]),
  rule("goal", "As planned", "Reach your yearly goal", ["goals", 1]),
];

/** Every achievement, in the order in which they are shown. */
export function achievementsOf(facts: Facts): Achievement[] {
  const reached = new Map<MeasureName, readonly Reached[]>();
  return rules.map(({ measure, target, ...shown }) => {
    const values = reached.get(measure) ?? measures[measure](facts);
    reached.set(measure, values);
    const earned = values.find(({ value }) => value >= target);
    const progress = Math.min(target, Math.floor(values.at(-1)?.value ?? 0));
    return { ...shown, target, progress, ...(earned && { earnedAt: new Date(earned.at).toISOString() }) };
  });
}

function rule(id: string, title: string, description: string, aim: readonly [MeasureName, number]): Rule {
  return { id, title, description, measure: aim[0], target: aim[1] };
}
