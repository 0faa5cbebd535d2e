import type { Counted } from "../counting/counting.js";

/** A point for each page, one for two minutes of listening, ten for finishing. */
const secondsPerPoint = 120;
const pointsPerFinish = 10;

export interface Totals {
  readonly points: number;
  readonly pages: number;
  readonly seconds: number;
  readonly finished: number;
}

export function totalOf(counted: readonly Counted[]): Totals {
  let [pages, seconds, finished] = [0, 0, 0];
  for (const entry of counted) {
    pages += entry.pages;
    seconds += entry.seconds;
    finished += entry.finished;
  }
  const points = pages + Math.floor(seconds / secondsPerPoint) + finished * pointsPerFinish;
  return { points, pages, seconds, finished };
}

export interface Level {
  readonly level: number;
  readonly points: number;
  /** The points at which this level began, and at which the next one begins. */
  readonly levelAt: number;
  readonly nextLevelAt: number;
}

/** Each level takes 100 points more than the one before: 100, 200, 300 … */
export function levelOf(points: number): Level {
  const level = Math.floor((1 + Math.sqrt(1 + (8 * points) / 100)) / 2);
  return { level, points, levelAt: pointsAt(level), nextLevelAt: pointsAt(level + 1) };
}

function pointsAt(level: number): number {
  return 50 * level * (level - 1);
}
