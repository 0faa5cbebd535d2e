import { Catalog, Collection, type ReadFile } from "@longbox/collection/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { Provider, type VolumeSpec } from "./provider.js";

export interface Served extends AsyncDisposable {
  readonly provider: Provider;
  readonly host: TestHost;
  /** Files of a series, as a scan would find them. */
  place(series: {
    name: string;
    year?: number | undefined;
    publisher?: string | undefined;
    numbers: readonly string[];
    cvId?: number;
    cvIssueIds?: readonly number[];
  }): Promise<number>;
}

/** A server with the metadata plugin, pointed at a provider on loopback. */
export async function serve(options: TestHostOptions & { metadata?: Record<string, unknown> } = {}): Promise<Served> {
  const provider = await Provider.start();
  const { metadata, ...rest } = options;
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", "metadata", ...(options.plugins ?? [])],
    settings: { metadata: { ...provider.settings, ...metadata }, ...options.settings },
  });
  return {
    provider,
    host,
    async place(series) {
      const folder = `/library/${series.name} (${series.year ?? ""})`;
      const files = series.numbers.map((number, index): ReadFile => ({
        libraryId: 1,
        path: `${folder}/${number}.cbz`,
        name: `${number}.cbz`,
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 20,
        valid: true,
        tagged: false,
        series: { name: series.name, folder, year: series.year, publisher: series.publisher, cvId: series.cvId },
        issue: { number, kind: "issue", cvIssueId: series.cvIssueIds?.[index] },
      }));
      const [placed] = await host.use(Collection).placeFiles(files);
      return (placed as { seriesId: number }).seriesId;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export const catalogOf = (host: TestHost) => host.use(Catalog);

/** A volume with issues 1 to `count`, and with what else the provider is to say of it. */
export function volume(id: number, name: string, spec: number | (Partial<VolumeSpec> & { count: number })): VolumeSpec {
  const { count, ...change } = typeof spec === "number" ? { count: spec } : spec;
  return {
    id,
    name,
    issues: Array.from({ length: count }, (_, index) => ({
      id: id * 1000 + index + 1,
      issue_number: String(index + 1),
      cover_date: `2019-${String((index % 12) + 1).padStart(2, "0")}-01`,
    })),
    ...change,
  };
}
