import { Collection, type ReadFile } from "@longbox/collection/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { Provider, type VolumeSpec } from "../../../metadata/test/support/provider.js";

export interface RequestsDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly provider: Provider;
  /** Asks for a volume as a user of this role. */
  ask(role: string, providerId: number, note?: string): Promise<{ status: number; body: any }>;
  /** The titles of a user's notifications about requests, newest first. */
  told(role: string): Promise<string[]>;
  /** Files of a volume's issues, as a scan would find them. @returns the series' id */
  place(title: string, cvId: number, issues: Readonly<Record<string, number>>): Promise<number>;
}

export const volumes: readonly VolumeSpec[] = [
  {
    id: 101,
    name: "Moth Patrol",
    start_year: "2019",
    publisher: "Lamplight",
    issues: [{ id: 1011, issue_number: "1" }],
  },
  {
    id: 102,
    name: "Moth Patrol Omnibus",
    start_year: "2021",
    publisher: "Lamplight",
    issues: [{ id: 1021, issue_number: "1" }],
  },
  { id: 103, name: "Moth Diary", start_year: "2005", publisher: "Kodansha", issues: [{ id: 1031, issue_number: "1" }] },
  {
    id: 104,
    name: "Moth Alley",
    start_year: "1999",
    publisher: "Grim Press",
    issues: [{ id: 1041, issue_number: "1" }],
  },
];

/** A server with requests, notifications, and a provider that knows four volumes. */
export async function openRequestsDesk(options: TestHostOptions = {}): Promise<RequestsDesk> {
  const provider = (await Provider.start()).add(...volumes);
  const { settings, plugins = [], ...rest } = options;
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", "metadata", "notifications", "requests", ...plugins],
    settings: { metadata: provider.settings, notifications: { joinSeconds: 60 }, ...settings },
  });
  await host.as("admin").post("/api/roles", {
    name: "member",
    label: "Member",
    permissions: ["library.view", "requests.create"],
  });
  return {
    host,
    provider,
    ask: (role, providerId, note) =>
      host.as(role).post("/api/requests", { providerId, ...(note !== undefined && { note }) }),
    told: async (role) =>
      (await host.as(role).get("/api/notifications")).body
        .filter(({ category }: { category: string }) => category === "request")
        .map(({ title }: { title: string }) => title),
    place: (title, cvId, issues) => place(host, { title, cvId, issues }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function place(
  host: TestHost,
  { title, cvId, issues }: { title: string; cvId: number; issues: Readonly<Record<string, number>> },
): Promise<number> {
  const folder = `/library/${title}`;
  const files = Object.entries(issues).map(([number, cvIssueId]): ReadFile => ({
    libraryId: 1,
    path: `${folder}/${number}.cbz`,
    name: `${number}.cbz`,
    sizeBytes: 1,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: 20,
    valid: true,
    tagged: true,
    series: { name: title, folder, year: 2019, cvId },
    issue: { number, kind: "issue", cvIssueId },
  }));
  const [placed] = await host.use(Collection).placeFiles(files);
  return (placed as { seriesId: number }).seriesId;
}

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come to pass in a minute.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
