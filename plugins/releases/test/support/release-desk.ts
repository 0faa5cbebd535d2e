import { Catalog, Collection } from "@longbox/collection/contract";
import { KernelUsers } from "@longbox/sdk";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { Provider, type VolumeSpec } from "../../../metadata/test/support/provider.ts";

export interface ReleaseDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly provider: Provider;
  /** Asks the provider and waits until the check has ended. @returns the job */
  check(week?: string): Promise<{ state: string; message?: string; error?: string }>;
  /** The series of a volume, added by the admin without following or wanting anything. */
  add(cvId: number): Promise<number>;
  idOf(role: string): Promise<number>;
  /** Names of a viewer's releases in this week. */
  names(role: string, query?: string): Promise<string[]>;
  ended(jobId: number): Promise<{ state: string; message?: string; error?: string }>;
}

/** A day of this week, as a store date: releases that are shown without asking for another week. */
export const today = new Date().toISOString().slice(0, 10);

/** A day so many days from today. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A volume whose last issue comes out this week. */
export function coming(
  id: number,
  name: string,
  change: Partial<VolumeSpec> & { readonly number?: number } = {},
): VolumeSpec {
  const { number = 1, ...more } = change;
  return {
    id,
    name,
    start_year: "2024",
    publisher: "Lamplight",
    issues: Array.from({ length: number }, (_, index) => ({
      id: id * 100 + index + 1,
      issue_number: String(index + 1),
      store_date: index + 1 === number ? today : inDays(-60 - (number - index) * 30),
    })),
    ...more,
  };
}

/** A server with releases, notifications, and a provider on loopback. */
export async function openReleaseDesk(
  options: TestHostOptions & { volumes?: readonly VolumeSpec[] } = {},
): Promise<ReleaseDesk> {
  const provider = (await Provider.start()).add(...(options.volumes ?? standardVolumes));
  const { settings, plugins = [], volumes: _, ...rest } = options;
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", "metadata", "notifications", "releases", ...plugins],
    settings: {
      notifications: { joinSeconds: 60 },
      releases: { weeksBack: 0, weeksAhead: 1 },
      ...settings,
      metadata: { ...provider.settings, ...settings?.["metadata"] },
    },
  });
  return {
    host,
    provider,
    ...working(host, provider),
    idOf: async (role) => (await host.as(role).get("/api/auth/me")).body.user.id,
    names: async (role, query = "") =>
      (await host.as(role).get(`/api/releases${query}`)).body.releases.map(
        ({ series, number }: { series: string; number: string }) => `${series} #${number}`,
      ),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

function working(host: TestHost, provider: Provider): Pick<ReleaseDesk, "check" | "add" | "ended"> {
  const admin = host.as("admin");
  const ended: ReleaseDesk["ended"] = async (jobId) => {
    let job = { state: "queued" };
    await until(async () => {
      job = (await admin.get(`/api/jobs/${jobId}`)).body;
      return !["queued", "running"].includes(job.state);
    });
    return job;
  };
  return {
    ended,
    async check(week) {
      const { body } = await admin.post("/api/releases/check", week === undefined ? {} : { week });
      return await ended(body.jobId);
    },
    async add(cvId) {
      const viewer = (await host.use(KernelUsers).viewerOf((await admin.get("/api/auth/me")).body.user.id))!;
      const { name: title, issues } = provider.volumes.get(cvId)!;
      const listed = issues.map(({ id, issue_number: number, store_date }) => ({
        cvIssueId: id,
        number,
        storeDate: store_date as string,
      }));
      const volume = { cvId, title, aliases: [], status: "ongoing", issues: listed } as const;
      const { seriesId } = await host.use(Catalog).addVolume(volume, { viewer, only: true, download: false });
      return seriesId;
    },
  };
}

/** Files of issues, as a scan would find them. */
export async function place(
  host: TestHost,
  { title, cvId, issues }: { title: string; cvId: number; issues: Readonly<Record<string, number>> },
) {
  const folder = `/library/${title}`;
  const files = Object.entries(issues).map(([number, cvIssueId]) => ({
    libraryId: 1,
    path: `${folder}/${number}.cbz`,
    name: `${number}.cbz`,
    sizeBytes: 1,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: 20,
    valid: true,
    tagged: true,
    series: { name: title, folder, year: 2024, cvId },
    issue: { number, kind: "issue" as const, cvIssueId },
  }));
  await host.use(Collection).placeFiles(files);
}

const standardVolumes: readonly VolumeSpec[] = [
  coming(1, "Moth Patrol", { number: 5 }),
  coming(2, "Night Bell", { number: 3, publisher: "Grim Press" }),
  coming(3, "Salt Road", { number: 1, publisher: "Grim Press" }),
  coming(4, "Hidden House", { number: 2 }),
  coming(5, "Nameless", { number: 7, publisher: null }),
];

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come to pass in 60 seconds.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
