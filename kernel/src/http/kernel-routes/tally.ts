/** Upper bounds of the duration buckets, in seconds. */
export const durationBuckets: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** How often a route answered, with what, and how long it took. Kept by hand: it is on the path of every request. */
export class RouteTally {
  readonly statuses = new Map<number, number>();
  readonly buckets: number[] = durationBuckets.map(() => 0);
  count = 0;
  seconds = 0;

  constructor(
    readonly method: string,
    readonly path: string,
  ) {}

  add(status: number, milliseconds: number): void {
    const seconds = milliseconds / 1000;
    this.count += 1;
    this.seconds += seconds;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const bucket = durationBuckets.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.buckets[bucket]! += 1;
  }
}
