import type { IssueKind } from "@longbox/collection/contract";
import type { NameDate } from "./dates.js";
import { readable } from "./text.js";
import { tokenize, type Token } from "./tokens.js";

/** What else is known when a name is read. */
export interface NameHints {
  /** The series as the folder names it. */
  readonly series?: string | undefined;
  /** The other names of the folder begin with numbers, too, or the folder is certainly one series. */
  readonly numbersLead?: boolean | undefined;
}

/** A stretch of the name that is not the series. */
interface Taken {
  readonly start: number;
  readonly end: number;
  /** `lead` stands before the series; every other role ends it. */
  readonly role: "lead" | "stop" | "number" | "inside";
}

/** A name while it is read. Each rule takes the tokens that it understands, and says what they are. */
export class Reading {
  number: string | undefined;
  kind: IssueKind = "issue";
  volume: number | undefined;
  lastVolume: number | undefined;
  edition: string | undefined;
  /** Which token the volume begins with. */
  volumeAt: number | undefined;
  count: number | undefined;
  date: NameDate | undefined;
  cvIssueId: number | undefined;
  cvId: number | undefined;
  /** Whether the number stands before the series: `003 - Moth Patrol`. */
  numberLeads = false;
  /** Whether another reading is nearly as likely. */
  isGuess = false;
  /** Where the series' name ends though nothing was taken there. */
  seriesStop: number | undefined;
  readonly tags: string[] = [];
  readonly reasons: string[] = [];
  readonly #taken: Taken[] = [];
  readonly #owners = new Map<Token, Taken["role"]>();

  /** A title that stands elsewhere than behind the number. */
  title: string | undefined;
  readonly text: string;
  readonly tokens: readonly Token[];

  constructor(
    readonly fileName: string,
    readonly hints: NameHints,
  ) {
    this.text = readable(fileName);
    this.tokens = tokenize(this.text);
  }

  get hasUnderscores(): boolean {
    return this.fileName.includes("_");
  }

  /** Takes the tokens from one to another, both included. */
  take(first: number, last: number, role: Taken["role"]): void {
    this.takeSpan({ first, last, startsEarlier: 0 }, role);
  }

  /** The same, beginning some characters before the first token, or after its beginning where that is negative. */
  takeSpan(
    { first, last, startsEarlier }: { readonly first: number; readonly last: number; readonly startsEarlier: number },
    role: Taken["role"],
  ): void {
    const [from, to] = [this.tokens[first]!, this.tokens[last]!];
    this.#taken.push({ start: from.start - startsEarlier, end: to.end, role });
    for (let at = first; at <= last; at++) this.#owners.set(this.tokens[at]!, role);
  }

  isTaken(at: number): boolean {
    const token = this.tokens[at];
    return token !== undefined && this.#owners.has(token);
  }

  /** Whether a token is the beginning of a volume. */
  isVolume(at: number): boolean {
    return this.volumeAt === at;
  }

  because(reason: string): void {
    this.reasons.push(reason);
  }

  /** The text of some tokens, for reasons. */
  quote(first: number, last = first): string {
    return `\`${this.text.slice(this.tokens[first]!.start, this.tokens[last]!.end)}\``;
  }

  /** From where to where the series' name goes. */
  seriesSpan(): readonly [number, number] {
    const taken = this.#taken.toSorted((one, other) => one.start - other.start);
    let start = 0;
    for (const part of taken) {
      if (part.role === "inside" || /[\p{L}\p{N}]/u.test(this.text.slice(start, part.start))) break;
      if (part.role === "lead" || (part.role === "number" && this.numberLeads)) start = part.end;
    }
    const end = taken.find((part) => part.start >= start && part.role !== "inside" && part.role !== "lead")?.start;
    return [start, Math.min(end ?? this.text.length, this.seriesStop ?? this.text.length)];
  }

  /** From where to where the title goes: after the last taken stretch that belongs to the number. */
  titleSpan(): readonly [number, number] {
    const taken = this.#taken.toSorted((one, other) => one.start - other.start);
    let begin = taken.findIndex(({ role }) => role === "number");
    if (begin < 0) return [this.text.length, this.text.length];
    let start = taken[begin]!.end;
    for (begin++; begin < taken.length; begin++) {
      const part = taken[begin]!;
      if (/[\p{L}\p{N}]/u.test(this.text.slice(start, part.start))) return [start, part.start];
      start = Math.max(start, part.end);
    }
    return [start, this.text.length];
  }
}
