import { z } from "zod";

const ids = z.array(z.number().int().positive()).min(1).max(500);

/** What a quest is about. Names are not stored: they are looked up for the user whenever a quest is shown. */
export const subjectSchema = z.discriminatedUnion("kind", [
  /** Read pages, listen for minutes, read on days: of anything. */
  z.object({ kind: z.literal("pages") }),
  z.object({ kind: z.literal("minutes") }),
  z.object({ kind: z.literal("days") }),
  /** Finish what was begun, the rest of a series, or something from the read-later shelf. */
  z.object({ kind: z.literal("finish-begun"), issueIds: ids }),
  z.object({ kind: z.literal("finish-series"), seriesId: z.number().int().positive(), issueIds: ids }),
  z.object({ kind: z.literal("finish-later"), issueIds: ids }),
  /** Read a part of something unknown. */
  z.object({ kind: z.literal("new-series"), seriesId: z.number().int().positive() }),
  z.object({ kind: z.literal("new-author"), author: z.string().min(1).max(300), issueIds: ids }),
  z.object({ kind: z.literal("old-pages"), before: z.number().int() }),
  z.object({ kind: z.literal("other-type"), type: z.string().min(1).max(100) }),
]);
export type Subject = z.output<typeof subjectSchema>;
export type Kind = Subject["kind"];

/** A quest that the library offers a user. */
export interface Offer {
  readonly subject: Subject;
  readonly target: number;
  /** Tokens. */
  readonly reward: number;
}

/** A quest of a user and a week. */
export interface Quest extends Offer {
  readonly id: number;
  /** The Monday of its week. */
  readonly monday: string;
  readonly drawnAt: number;
  /** What of the week counted before it was drawn. */
  readonly base: number;
  /** `withdrawn`: what it names is gone or hidden. */
  readonly state: "drawn" | "rerolled" | "withdrawn";
}

/** Which quests stand beside one another in a week: one of each group where the library has them. */
const groups: Readonly<Record<Kind, "habit" | "finish" | "discover">> = {
  pages: "habit",
  minutes: "habit",
  days: "habit",
  "finish-begun": "finish",
  "finish-series": "finish",
  "finish-later": "finish",
  "new-series": "discover",
  "new-author": "discover",
  "old-pages": "discover",
  "other-type": "discover",
};

export const groupOf = ({ kind }: Subject): string => groups[kind];

/** Two quests with the same key ask for the same. */
export function keyOf(subject: Subject): string {
  switch (subject.kind) {
    case "finish-begun":
    case "finish-later":
      return `finish ${subject.issueIds[0]}`;
    case "finish-series":
    case "new-series":
      return `series ${subject.seriesId}`;
    case "new-author":
      return `author ${subject.author}`;
    case "other-type":
      return `type ${subject.type}`;
    default:
      return subject.kind;
  }
}
