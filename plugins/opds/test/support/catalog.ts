import { openReadingRoom, type ReadingRoom, type RoomOptions } from "../../../reader/test/support/reading-room.js";

export { until } from "../../../reader/test/support/reading-room.js";
export type { ReadingRoom } from "../../../reader/test/support/reading-room.js";

/** Names that XML and URLs must escape, and enough issues for two pages of a feed. */
const plans: NonNullable<RoomOptions["plans"]> = [
  { title: "Moth Patrol", year: 2019, publisher: "Lamplight & Daughters", issues: ["1", "2", "3"] },
  { title: "Salt < Pepper & Co", year: 2021, publisher: 'Brass "Lantern"', issues: ["1"] },
  {
    title: "Long Walk",
    year: 2011,
    issues: Array.from({ length: 53 }, (_, index) => String(index + 1)),
    pages: 1,
    size: { width: 40, height: 60 },
  },
];

export function openCatalog(options: Partial<RoomOptions> = {}): Promise<ReadingRoom> {
  return openReadingRoom({
    plans,
    plugins: ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "opds"],
    ...options,
  });
}

/**
 * Every feed that can be reached from the root through links, by address; each fetched once, with Basic credentials.
 */
export async function crawl(
  room: ReadingRoom,
  start: string,
  linksOf: (text: string) => string[],
): Promise<Map<string, { text: string; type: string }>> {
  const seen = new Map<string, { text: string; type: string }>();
  const waiting = [start];
  while (waiting.length > 0) {
    const address = waiting.shift()!;
    if (seen.has(address)) continue;
    const answer = await fetch(address, { headers: basic(room), redirect: "error" });
    if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
    const text = await answer.text();
    seen.set(address, { text, type: answer.headers.get("content-type") ?? "" });
    waiting.push(...linksOf(text));
  }
  return seen;
}

/** HTTP Basic with the user's key as the password. */
export function basic(room: ReadingRoom, role = "viewer"): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${role}:${room.host.as(role).key}`).toString("base64")}` };
}
