import { trouble, type Provider } from "../../../plugins/metadata/test/support/provider.ts";
import type { Catalog } from "./catalog.ts";
import { adminOf, anyOf, breathe, type Actor, type World } from "./world.ts";

/** Downloads one wanted issue after the other from the catalog, until there is none. */
export function downloader(world: World, series: { readonly id: number; readonly catalog: Catalog }): Actor {
  const client = adminOf(world, "downloader");
  const missing = async (): Promise<{ id: number; number: string }[]> => {
    const { body } = await client.get(`/api/collection/${series.id}`);
    return (body?.issues ?? []).filter((issue: { owned: boolean }) => !issue.owned);
  };
  return {
    name: "downloader",
    everyMs: 30_000,
    async turn() {
      const [issue] = await missing();
      if (!issue) return;
      series.catalog.offer(issue.number);
      await client.post("/api/download", { issueIds: [issue.id] });
      for (let asked = 0; asked < 180 && !world.signal.aborted; asked++) {
        await breathe(world, 1000);
        const left = await missing();
        if (!left.some(({ id }) => id === issue.id)) return;
      }
      if (!world.signal.aborted) world.tally.failed("downloader", `Issue ${issue.number} did not come.`);
    },
  };
}

/** Answers of a bad day, each for a while, with good days between them. */
const badDays = [
  trouble.status(503),
  undefined,
  trouble.html,
  undefined,
  trouble.hangUp,
  undefined,
  trouble.status(429, { "retry-after": "2" }),
  undefined,
  trouble.code(107, "Rate limit exceeded"),
  undefined,
];

/** Looks up what the provider knows, in good times and in bad. */
export function lookups(world: World, provider: Provider): Actor {
  const client = adminOf(world, "lookups");
  let turns = 0;
  return {
    name: "lookups",
    everyMs: 6000,
    async turn() {
      if (turns++ % 10 === 0) provider.always(badDays[((turns / 10) % badDays.length) | 0]);
      // 502 is how the server answers when the provider fails, also while it does not ask it for a minute.
      const allows = [502];
      const word = anyOf(world, ["moth", "drift", "salt", "night"]);
      await client.get(`/api/cv/search?q=${word}%20${Math.floor(world.random.next() * 50)}`, { allows });
      const volume = 5000 + Math.floor(world.random.next() * 20);
      await client.get(`/api/cv/volume/${volume}`, { allows: [...allows, 404] });
      provider.asked.length = 0;
    },
  };
}
