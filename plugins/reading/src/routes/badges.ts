import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { ReadingContract, ReadingState } from "../contract.js";

const badgeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("count"), value: z.number().int(), label: z.string() }),
  z.object({ kind: z.literal("tick"), label: z.string() }),
  z.object({ kind: z.literal("progress"), value: z.number(), label: z.string() }),
]);

/** The badges of works and series in the web interface; `reading` is the field that actions check. */
export const badgedSchema = z.object({
  id: z.number().int(),
  badges: z.array(badgeSchema),
  facts: z.object({
    reading: z.enum(["unread", "reading", "read"]),
    later: z.boolean().optional(),
    /** Of a single work: whether the viewer is further in another form of it, such as its audiobook. */
    furtherElsewhere: z.boolean().optional(),
    /** For a series: how many of the owned works are read, of how many. */
    readCount: z.number().int().optional(),
    readOf: z.number().int().optional(),
    /**
     * For a series: the issue to continue with, by the id for clients and its own, with its name and number of pages.
     */
    next: z.number().int().optional(),
    nextIssueId: z.number().int().optional(),
    nextLabel: z.string().optional(),
    nextPages: z.number().int().optional(),
  }),
});
export type Badged = z.output<typeof badgedSchema>;

interface Sources {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
}

/** The badge of each visible, readable work: a check mark, the progress, or none. */
export async function badgesOfIssues({ library, reading }: Sources, ids: readonly number[], viewer: Viewer) {
  const issues = (await library.findIssues(ids, viewer)).filter(({ owned }) => owned);
  const owned = issues.map(({ id }) => id);
  const [states, later] = await Promise.all([reading.find(viewer, owned), reading.findLater(viewer, owned)]);
  const byId = new Map(states.map((state) => [state.issueId, state]));
  const [only, ...others] = owned;
  // Lists do without: it takes several questions for each work.
  const places = only !== undefined && others.length === 0 ? await reading.findFormPlaces(viewer, only) : [];
  const furtherElsewhere = places[0]?.isFurther === true;
  return owned.map((id): Badged => {
    const { badges, facts } = ofWork(byId.get(id));
    return {
      id,
      badges,
      facts: { ...facts, later: later.includes(id), ...(furtherElsewhere && { furtherElsewhere }) },
    };
  });
}

/** The badge of each visible series: the number of unread owned works, or a check mark. */
export async function badgesOfSeries({ library, reading }: Sources, ids: readonly number[], viewer: Viewer) {
  const all = await Promise.all(ids.map(async (id) => ({ id, issues: await ownedOf(library, id, viewer) })));
  const states = await reading.find(
    viewer,
    all.flatMap(({ issues }) => issues.map(({ id }) => id)),
  );
  const byId = new Map(states.map((state) => [state.issueId, state]));
  return all.flatMap(({ id, issues }): Badged[] => (issues.length === 0 ? [] : [{ id, ...ofSeries(issues, byId) }]));
}

async function ownedOf(library: CollectionContract, seriesId: number, viewer: Viewer): Promise<readonly Issue[]> {
  if (!(await library.findSeries(seriesId, viewer))) return [];
  return (await library.listIssues(seriesId, viewer)).filter(({ owned }) => owned);
}

function ofWork(state: ReadingState | undefined): Pick<Badged, "badges" | "facts"> {
  if (!state) return { badges: [], facts: { reading: "unread" } };
  if (state.completed) return { badges: [{ kind: "tick", label: "read" }], facts: { reading: "read" } };
  const label = `${Math.round(state.fraction * 100)}% read`;
  return { badges: [{ kind: "progress", value: state.fraction, label }], facts: { reading: "reading" } };
}

function ofSeries(
  issues: readonly Issue[],
  states: ReadonlyMap<number, ReadingState>,
): Pick<Badged, "badges" | "facts"> {
  const unread = issues.filter(({ id }) => states.get(id)?.completed !== true).length;
  const counts = { readCount: issues.length - unread, readOf: issues.length };
  if (unread === 0) return { badges: [{ kind: "tick", label: "all read" }], facts: { reading: "read", ...counts } };
  const isBegun = issues.some(({ id }) => states.has(id));
  return {
    badges: [{ kind: "count", value: unread, label: `${unread} unread` }],
    facts: { reading: isBegun ? "reading" : "unread", ...counts, ...nextOf(issues, states) },
  };
}

/** The most recently read open one, else the first unread one. */
function nextOf(issues: readonly Issue[], states: ReadonlyMap<number, ReadingState>) {
  const open = issues
    .filter(({ id }) => states.get(id)?.completed === false)
    .sort((one, other) => (states.get(other.id)!.at > states.get(one.id)!.at ? 1 : -1));
  const next = open[0] ?? issues.find(({ id }) => !states.has(id));
  return next && { next: next.cvIssueId, nextIssueId: next.id, nextLabel: next.label.short, nextPages: next.pages };
}
