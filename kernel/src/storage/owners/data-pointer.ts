import { z } from "zod";

const stateName = z.string().regex(/^\d+$/);

/** What `current.json` says of the states of one plugin's data. */
export const pointerSchema = z.object({
  current: stateName,
  /** The version of the plugin that has the current state, once that is known. */
  version: z.string().optional(),
  previous: stateName.optional(),
  /** States that a rollback gave up, the newest first. */
  kept: z.array(stateName).optional(),
  /** States as versions left them, the newest first. */
  left: z.array(z.object({ state: stateName, version: z.string(), at: z.string() })).optional(),
});
export type DataPointer = z.output<typeof pointerSchema>;
export type LeftState = NonNullable<DataPointer["left"]>[number];

export const firstState: DataPointer = { current: "1" };

/** Which versions of a plugin the change to another state of its data is between. */
export interface VersionChange {
  /** The version that has the data from now on. */
  readonly to: string;
  /** The version that had it, unless the pointer knows better. */
  readonly from?: string | undefined;
}

/** How many of the newest states that a rollback gave up are kept. */
const mostGivenUp = 3;
/** As many versions of a package are kept for a rollback. */
const mostLeft = 4;

/** A new state becomes the current one. The former becomes the previous one, and stays as its version left it. */
export function advanced(pointer: DataPointer, state: string, change?: VersionChange): DataPointer {
  const { version: _, ...before } = pointer;
  const left = withLeft(pointer, pointer.version ?? change?.from, change?.to);
  return { ...before, current: state, previous: pointer.current, ...(change && { version: change.to }), left };
}

/** The state is not removed when others follow, because its data may be needed. */
export function givenUp(pointer: DataPointer, state: string): DataPointer {
  const others = (pointer.kept ?? []).filter((name) => name !== state);
  return { ...pointer, kept: [state, ...others].slice(0, mostGivenUp) };
}

/** The previous state becomes the current one, and the former is given up. */
export function returned(pointer: DataPointer, previous: string): DataPointer {
  const { version: _, ...before } = pointer;
  const version = pointer.left?.find(({ state }) => state === previous)?.version;
  const left = withLeft(pointer, pointer.version, version).filter(({ state }) => state !== previous);
  const after = { ...before, current: previous, previous: pointer.current, ...(version && { version }), left };
  return givenUp(after, pointer.current);
}

/** The states that must not be removed. */
export function statesOf({ current, previous, kept = [], left = [] }: DataPointer): Set<string> {
  return new Set([current, ...(previous ? [previous] : []), ...kept, ...left.map(({ state }) => state)]);
}

/** One state for each version that left one; none for the version that has the data now. */
function withLeft({ current, left = [] }: DataPointer, leaves: string | undefined, comes?: string): LeftState[] {
  const others = left.filter(({ version }) => version !== leaves && version !== comes);
  if (leaves === undefined || leaves === comes) return others;
  return [{ state: current, version: leaves, at: new Date().toISOString() }, ...others].slice(0, mostLeft);
}
