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
  { id: "first-page", title: "First page", description: "Read your first page", measure: "pages", target: 1 },
  { id: "first-finish", title: "The end", description: "Finish something", measure: "finished", target: 1 },
  { id: "shelf", title: "A shelf of your own", description: "Finish 25 items", measure: "finished", target: 25 },
  { id: "bookcase", title: "Bookcase", description: "Finish 100 items", measure: "finished", target: 100 },
  { id: "library", title: "Walking library", description: "Finish 500 items", measure: "finished", target: 500 },
  { id: "thousand", title: "A thousand pages", description: "Read 1,000 pages", measure: "pages", target: 1000 },
  {
    id: "ten-thousand",
    title: "Ten thousand pages",
    description: "Read 10,000 pages",
    measure: "pages",
    target: 10_000,
  },
  {
    id: "tome",
    title: "Heavy lifting",
    description: "Finish something of 200 pages or more",
    measure: "longWorks",
    target: 1,
  },
  { id: "listener", title: "All ears", description: "Listen for 24 hours", measure: "hours", target: 24 },
  { id: "week", title: "Seven days", description: "Read on seven days in a row", measure: "streak", target: 7 },
  { id: "month", title: "Thirty days", description: "Read on 30 days in a row", measure: "streak", target: 30 },
  { id: "season", title: "A hundred days", description: "Read on 100 days in a row", measure: "streak", target: 100 },
  { id: "regular", title: "Regular", description: "Read on 200 days, in a row or not", measure: "days", target: 200 },
  {
    id: "weekends",
    title: "Slow weekends",
    description: "Read on both days of ten weekends",
    measure: "weekends",
    target: 10,
  },
  {
    id: "comeback",
    title: "Welcome back",
    description: "Come back after a month without reading",
    measure: "comebacks",
    target: 1,
  },
  { id: "explorer", title: "Explorer", description: "Begin 20 series", measure: "series", target: 20 },
  {
    id: "devoted",
    title: "Devoted",
    description: "Finish ten items of one series",
    measure: "ofOneSeries",
    target: 10,
  },
  { id: "decades", title: "Time traveller", description: "Read from five decades", measure: "decades", target: 5 },
  { id: "types", title: "All kinds", description: "Read from three types of libraries", measure: "types", target: 3 },
  { id: "languages", title: "Two tongues", description: "Read in two languages", measure: "languages", target: 2 },
  { id: "quests", title: "Adventurer", description: "Complete ten quests", measure: "quests", target: 10 },
  { id: "goal", title: "As planned", description: "Reach your yearly goal", measure: "goals", target: 1 },
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
