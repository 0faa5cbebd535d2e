/** What trackers say of a torrent that they do not have, or no longer. */
const unknown = /unregistered|not registered|unknown torrent|torrent not found|not exist|been deleted|trumped/iu;

export const isUnknownToTracker = (said: string) => unknown.test(said);

/** There are no peers where its trackers do not know it: to wait for hours would change nothing. */
export function givenUpBy(said: string) {
  return { state: "failed", failure: "incomplete", reason: `Its tracker says: ${said.slice(0, 200)}` } as const;
}
