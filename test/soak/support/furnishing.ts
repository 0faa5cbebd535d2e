import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { showcase, writeLibrary } from "@longbox/test/fixtures";
import { Provider, type VolumeSpec } from "../../../plugins/metadata/test/support/provider.ts";
import { firstAdmin, newViewer, type Person } from "../../whole/hostile/people.ts";
import { Catalog } from "../actors/catalog.ts";
import type { ReadableIssue } from "../actors/world.ts";

/** A server with people, a library, and the servers of others that it asks. */
export interface Furnished extends AsyncDisposable {
  readonly admin: Person;
  readonly viewer: Person;
  readonly issues: readonly ReadableIssue[];
  readonly library: { readonly id: number; readonly folder: string };
  readonly provider: Provider;
  readonly catalog: Catalog;
  /** The series of what is wanted. */
  readonly wantedSeries: number;
}

const wanted = "Drift Harbor";
const pages = 6;
const waitMs = 120_000;

/** @param wantedIssues - how many issues there are to download */
export async function furnish(url: string, folder: string, wantedIssues: number): Promise<Furnished> {
  const comics = join(folder, "comics");
  await mkdir(comics, { recursive: true });
  await writeLibrary(
    comics,
    showcase.map((plan) => ({ ...plan, pages })),
  );
  const admin = await firstAdmin(url);
  const viewer = await newViewer(url, admin);
  const [provider, catalog] = [await Provider.start(), await Catalog.start(wanted)];
  provider.add(...volumes(wantedIssues));
  await admin.post("/api/settings", {
    metadata: provider.settings,
    downloads: { minMegabytes: 0, keepFreeMegabytes: 0 },
    "source-opds": { catalogs: [{ name: "Elsewhere", url: `${catalog.url}/opds` }] },
  });
  const { id } = await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: comics });
  const issues = await readable(admin);
  const { seriesId } = await admin.post("/api/collection/add-cv", { providerId: 4999 });
  return {
    ...{ admin, viewer, issues, provider, catalog, wantedSeries: seriesId },
    library: { id, folder: comics },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

/** The issues of the showcase, once the first scan has found all of them. */
async function readable(admin: Person): Promise<ReadableIssue[]> {
  const expected = showcase.reduce((sum, plan) => sum + plan.issues.length, 0);
  const end = Date.now() + waitMs;
  for (;;) {
    const issues: ReadableIssue[] = [];
    for (const { id } of await admin.json("/api/collection?limit=60"))
      for (const issue of (await admin.json(`/api/collection/${id}`)).issues)
        if (issue.owned) issues.push({ cvIssueId: issue.cvIssueId, seriesId: id, pages });
    if (issues.length >= expected) return issues;
    if (Date.now() > end) throw new Error(`The first scan found ${issues.length} of ${expected} issues.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function volumes(wantedIssues: number): VolumeSpec[] {
  const issues = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: from + at,
      issue_number: String(at + 1),
      cover_date: "2019-05-01",
    }));
  return [
    { id: 4999, name: wanted, issues: issues(900_000, wantedIssues) },
    ...Array.from({ length: 20 }, (_, at) => ({
      id: 5000 + at,
      name: `${["Moth", "Salt", "Night", "Drift"][at % 4]} Volume ${at}`,
      issues: issues(100_000 + at * 1000, 30),
    })),
  ];
}
