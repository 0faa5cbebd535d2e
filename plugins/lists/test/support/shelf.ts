import { systemViewer } from "@longbox/sdk";
import { Collection, type ReadFile } from "@longbox/collection/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { Source } from "./source.js";

export interface SeriesSpec {
  readonly name: string;
  readonly year?: number;
  /** Numbers of issues that are owned; with ids where the provider knows them. */
  readonly issues: Readonly<Record<string, number | undefined>>;
  readonly cvId?: number;
  readonly restricted?: boolean;
}

export interface Shelf extends AsyncDisposable {
  readonly host: TestHost;
  readonly source: Source;
  /** Files of a series, as a scan would find them. @returns the series' id */
  place(series: SeriesSpec): Promise<number>;
  /** The id of a new list of this user. */
  list(role: string, name: string, cvIssueIds?: readonly number[]): Promise<number>;
}

/** A server with lists, and a provider that a test holds in its hand. */
export async function openShelf(options: TestHostOptions & { alone?: boolean } = {}): Promise<Shelf> {
  const source = new Source();
  const { alone, plugins = [], settings, ...rest } = options;
  const provider = alone ? [] : ["metadata", source.plugin];
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", ...provider, "lists", ...plugins],
    settings: { ...(alone ? {} : { metadata: { source: "shelf-source" } }), ...settings },
  });
  return {
    host,
    source,
    async place({ name, year = 2019, issues, cvId, restricted }) {
      const folder = `/library/${name} (${year})`;
      const files = Object.entries(issues).map(([number, cvIssueId]): ReadFile => ({
        libraryId: 1,
        path: `${folder}/${number}.cbz`,
        name: `${number}.cbz`,
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 20,
        valid: true,
        tagged: false,
        series: { name, folder, year, cvId },
        issue: { number, kind: "issue", cvIssueId },
      }));
      const [placed] = await host.use(Collection).placeFiles(files);
      const { seriesId } = placed as { seriesId: number };
      if (restricted) await host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
      return seriesId;
    },
    async list(role, name, cvIssueIds = []) {
      return (await host.as(role).post("/api/lists", { name, cvIssueIds })).body.id;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Every issue of a series by number, as clients know them. */
export async function clientIds(host: TestHost, seriesId: number): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await host.use(Collection).listIssues(seriesId, systemViewer)).map((issue) => [issue.number, issue.cvIssueId]),
  );
}

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come to pass in a minute.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
