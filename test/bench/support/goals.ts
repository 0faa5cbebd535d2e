interface Figure extends Record<string, unknown> {
  readonly bench: string;
  readonly figure?: string;
  readonly atMost?: Readonly<Record<string, number>>;
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Why a figure is bounded by nothing. */
  readonly unbounded?: string;
}

/**
 * Which goals a line of a benchmark misses, and how many it holds. A field that is not there, or no number, is missed,
 * and so is a figure that has no goal and does not say why.
 */
export function missedGoals(line: string): { readonly missed: readonly string[]; readonly held: number } {
  const figure = JSON.parse(line) as Figure;
  const name = [figure.bench, figure.figure, figure["yardstick"]].filter((part) => part !== undefined).join(", ");
  const judged = [
    ...Object.entries(figure.atMost ?? {}).map(([field, goal]) => judge(figure[field], field, { atMost: goal })),
    ...Object.entries(figure.atLeast ?? {}).map(([field, goal]) => judge(figure[field], field, { atLeast: goal })),
  ];
  if (judged.length === 0 && figure.unbounded === undefined)
    return { missed: [`${name}: it has no bound, and does not say why`], held: 0 };
  const missed = judged.filter((complaint) => complaint !== undefined).map((complaint) => `${name}: ${complaint}`);
  return { missed, held: judged.length - missed.length };
}

function judge(value: unknown, field: string, goal: { atMost?: number; atLeast?: number }): string | undefined {
  const { atMost = Infinity, atLeast = -Infinity } = goal;
  if (typeof value === "number" && value <= atMost && value >= atLeast) return undefined;
  return `${field} is ${String(value)}, ${goal.atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`} is the goal`;
}
