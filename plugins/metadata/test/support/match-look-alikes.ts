import { Collection, CoverSources } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { drawnCover, published, scanned } from "./drawn-cover.ts";
import { coverPath, lookAlike, type LookAlike } from "./look-alikes.ts";
import { Provider } from "./provider.ts";

/** What came of matching libraries without a person. */
export interface LookAlikeTally {
  readonly libraries: number;
  /** Those whose volume the provider has. */
  readonly matchable: number;
  readonly matched: number;
  readonly wrong: readonly string[];
  /**
   * Annuals beside the issues of a series that was matched: of how many series the provider has them, and how many it
   * found.
   */
  readonly annuals: { readonly matchable: number; readonly matched: number };
  /** Those that wait for a person although the provider has their volume, by what they are. */
  readonly waiting: Readonly<Record<string, number>>;
}

/** Matches seeded libraries whose provider has volumes with nearly the same names, one request after the other. */
export async function matchLookAlikes(count: number, seed: number): Promise<LookAlikeTally> {
  await using provider = await Provider.start();
  const covers = new Map<number, number>();
  await using host = await startTestHost({
    plugins: ["operations", "imaging", "collection", "metadata", coverPlugin(covers)],
    settings: { metadata: { ...provider.settings, requestsPerHour: 100_000 } },
  });
  provider.draw = drawPublished;
  const libraries = Array.from({ length: count }, (_, index) => lookAlike(index, seed));
  const placed = [];
  for (const library of libraries) placed.push(await place({ host, provider, covers }, library));
  const wrong: string[] = [];
  const waiting: Record<string, number> = {};
  let matched = 0;
  const annuals = { matchable: 0, matched: 0 };
  for (const [index, library] of libraries.entries()) {
    const { status, body } = await host.as("trusted").post("/api/cv/match", { seriesId: placed[index] });
    if (status !== 200) throw new Error(`Matching answers ${status}: ${JSON.stringify(body)}`);
    if (body.cvId === null && library.truth !== undefined) waiting[library.about] = (waiting[library.about] ?? 0) + 1;
    if (body.cvId === null) continue;
    if (body.cvId === library.truth) {
      matched += 1;
      const found = await volumesOfAnnuals(host, library);
      if (library.annuals.truth !== undefined) annuals.matchable += 1;
      if (found.includes(library.annuals.truth ?? -1)) annuals.matched += 1;
      for (const cvId of found)
        if (cvId !== library.annuals.truth && cvId !== library.truth) wrong.push(`${index}: annuals in ${cvId}`);
    } else
      wrong.push(`${index} (${library.about}): ${body.cvId} instead of ${library.truth}: ${body.reasons.join(", ")}`);
  }
  const matchable = libraries.filter(({ truth }) => truth !== undefined).length;
  return { libraries: count, matchable, matched, wrong, waiting, annuals };
}

/** The volumes that a scan finds the annuals beside the issues under now; those that no volume has are left out. */
async function volumesOfAnnuals(host: TestHost, { annuals, files }: LookAlike): Promise<number[]> {
  const beside = files.filter(({ path }) => annuals.paths.includes(path));
  if (beside.length === 0) return [];
  const placed = await host.use(Collection).placeFiles(beside);
  const ids = [...new Set(placed.map(({ seriesId }) => seriesId))];
  const volumes = ids.map(async (id) => (await host.as("trusted").get(`/api/collection/${id}`)).body.cvId);
  return (await Promise.all(volumes)).filter((cvId: number | null) => cvId !== null);
}

interface Stage {
  readonly host: TestHost;
  readonly provider: Provider;
  readonly covers: Map<number, number>;
}

async function place({ host, provider, covers }: Stage, library: LookAlike): Promise<number> {
  const address = (path: unknown) => ({ super_url: `${provider.origin}${String(path)}` });
  for (const volume of library.volumes) {
    const issues = volume.issues.map((issue) => {
      const image = issue["image"] as { super_url: string } | null;
      return { ...issue, image: image && address(image.super_url) };
    });
    provider.add({ ...volume, issues });
  }
  const placed = await host.use(Collection).placeFiles([...library.files]);
  for (const { path, issueId } of placed) {
    const seed = library.covers.get(path);
    if (seed !== undefined) covers.set(issueId, seed);
  }
  return placed[0]!.seriesId;
}

function drawPublished(path: string): Buffer | undefined {
  const seed = /cover-(\d+)\.png$/.exec(path)?.[1];
  return seed !== undefined && path === coverPath(Number(seed)) ? drawnCover(Number(seed), published) : undefined;
}

/** A plugin with the covers of the owned files. */
function coverPlugin(covers: ReadonlyMap<number, number>) {
  const id = "drawn-covers";
  const contributes = { coverSources: "^1.0.0" };
  return {
    manifest: { id, title: id, description: "", sdk: "^1.0.0", contributes },
    plugin: definePlugin({
      activate: (_, context) =>
        void context.contribute(CoverSources, {
          rank: 1,
          validator: async ({ issueId }) => (covers.has(issueId) ? String(covers.get(issueId)) : undefined),
          async findCover({ issueId }) {
            const seed = covers.get(issueId);
            return seed === undefined ? undefined : { bytes: drawnCover(seed, scanned), contentType: "image/png" };
          },
        }),
    }),
  };
}
