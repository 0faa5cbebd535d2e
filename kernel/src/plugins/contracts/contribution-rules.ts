import type { ContributionRules } from "@longbox/sdk";
import type { z } from "zod";
import { sayProblem } from "../../parsing/input-problems.js";

/** The rules of a point whose contributions are of any type. */
export type Rules = ContributionRules<object>;

/** Schemas whose rules are code of another process, which a check waits for. */
export const askedElsewhere = new WeakSet<z.ZodType>();

const longestText = 60;
/** How many problems a sentence names. */
const mostProblems = 5;

/**
 * What is wrong with a contribution by itself: `cron is "61 * * * *" and …`. A schema that fails has not accepted it.
 */
export function problemsIn({ schema }: Rules, contribution: object): readonly string[] {
  if (schema === undefined) return [];
  try {
    const { error } = schema.safeParse(contribution, { error: sayProblem });
    return problemsOf(error?.issues ?? [], contribution);
  } catch (failure) {
    return [uncheckable(failure)];
  }
}

/** The same for rules that may ask the process of an isolated owner. */
export async function problemsAsked({ schema }: Rules, contribution: object): Promise<readonly string[]> {
  if (schema === undefined) return [];
  try {
    const { error } = await schema.safeParseAsync(contribution, { error: sayProblem });
    return problemsOf(error?.issues ?? [], contribution);
  } catch (failure) {
    return [uncheckable(failure)];
  }
}

/** By what a contribution can be told from others to the same point: `with the key "files.scan"`. */
export function identityIn({ unique }: Rules, contribution: object): string {
  const value = unique === undefined ? undefined : valueOf(contribution, unique);
  return value === undefined ? "" : ` with the ${unique} ${shown(value)}`;
}

/** The field that a contribution shares with another, in words; undefined when it shares none. */
export function takenField({ unique }: Rules, contribution: object, others: readonly Added[]): string | undefined {
  if (unique === undefined) return undefined;
  const value = valueOf(contribution, unique);
  if (value === undefined) return undefined;
  const holder = others.find((other) => valueOf(other.contribution, unique) === value);
  return holder && `${unique} is ${shown(value)}, which the plugin "${holder.plugin}" has added already`;
}

/** A field that cannot be read is of no value. */
function valueOf(contribution: object, field: string): unknown {
  try {
    return Reflect.get(contribution, field);
  } catch {
    return undefined;
  }
}

const uncheckable = (failure: unknown) =>
  `it cannot be checked: ${failure instanceof Error ? failure.message : String(failure)}`;

export interface Added {
  readonly plugin: string;
  readonly contribution: object;
}

/** What decides which of two contributions that are alike is kept. */
export interface Rank {
  /** Of a package that is not of the house. */
  readonly isGuest: boolean;
  /** The place in the order in which contributions were added. */
  readonly at: number;
}

/**
 * Contributions of Longbox's own plugins come before those of other publishers. Among equals the plugin's name decides,
 * so that the result does not depend on which plugin has started first.
 */
export function outranks(one: Rank & Named, other: Rank & Named): boolean {
  if (one.isGuest !== other.isGuest) return other.isGuest;
  return one.plugin === other.plugin ? one.at < other.at : one.plugin < other.plugin;
}

type Named = Pick<Added, "plugin">;

/** Leaves out what the rules do not accept. Each contribution is judged once. */
export function acceptedBy(rules: Rules): <A extends Added & Rank>(entries: readonly A[]) => A[] {
  const judged = new WeakMap<object, boolean>();
  const isSound = (contribution: object) => {
    let sound = judged.get(contribution);
    if (sound === undefined) judged.set(contribution, (sound = problemsIn(rules, contribution).length === 0));
    return sound;
  };
  return (entries) => {
    const sound = entries.filter(({ contribution }) => isSound(contribution));
    const { unique } = rules;
    if (unique === undefined) return sound;
    const first = new Map<unknown, Added & Rank>();
    for (const entry of sound) {
      const value = valueOf(entry.contribution, unique);
      const other = first.get(value);
      if (value !== undefined && (other === undefined || outranks(entry, other))) first.set(value, entry);
    }
    return sound.filter((entry) => (first.get(valueOf(entry.contribution, unique)) ?? entry) === entry);
  };
}

function problemsOf(issues: readonly z.core.$ZodIssue[], contribution: object): string[] {
  const told = issues.slice(0, mostProblems).map((issue) => inWords(issue, contribution));
  return issues.length > mostProblems ? [...told, `and ${issues.length - mostProblems} more`] : told;
}

function inWords({ path, message }: z.core.$ZodIssue, contribution: object): string {
  if (path.length === 0) return `it ${message}`;
  const value = path.reduce<unknown>((at, key) => (isObject(at) ? valueOf(at, String(key)) : undefined), contribution);
  const field = path.map(String).join(".");
  return value === undefined ? `${field} ${message}` : `${field} is ${shown(value)} and ${message}`;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (isObject(value)) return Array.isArray(value) ? "a list" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
