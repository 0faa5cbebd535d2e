import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";

/** A server with one library on an empty folder. */
export interface TestLibrary extends AsyncDisposable {
  readonly host: TestHost;
  readonly root: string;
  readonly libraryId: number;
  /** Asks for a scan and waits for its end. */
  scan(options?: Record<string, unknown>): Promise<{ message?: string; error?: string; done: number; total: number }>;
  /** The files that the collection knows: path inside the library, number, and whether it can be read. */
  files(): Promise<
    Array<{
      path: string;
      series: string;
      number: string;
      kind: string;
      valid: boolean;
      error?: string;
      pages: number;
      cvIssueId: number;
    }>
  >;
}

export async function startLibrary(
  options: {
    type?: string;
    /** Beside those that every test here needs. */ plugins?: NonNullable<TestHostOptions["plugins"]>;
    settings?: Record<string, unknown>;
    fill?: (root: string) => Promise<unknown>;
    storage?: TestHostOptions["storage"];
    /** Sees changes by itself; without it only scans that are asked for happen. */ watch?: boolean;
  } = {},
): Promise<TestLibrary> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-library-"));
  await options.fill?.(root);
  const host = await startTestHost({
    plugins: [...(options.plugins ?? []), "operations", "collection", "files", "comics"],
    settings: { files: { watchFolders: options.watch ?? false, ...options.settings } },
    ...(options.storage && { storage: options.storage }),
  });
  const admin = host.as("admin");
  const made = await admin.post("/api/libraries", { name: "Comics", type: options.type ?? "comic", rootFolder: root });
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  const library: TestLibrary = {
    host,
    root,
    libraryId: made.body.id,
    async scan(body) {
      await untilSettled(host);
      const before = (await admin.get("/api/scan-folder")).body.startedAt;
      await admin.post(`/api/libraries/${made.body.id}/scan`, body);
      return untilSettled(host, before);
    },
    files: () => listFiles(host, root),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
  await untilSettled(host, "");
  return library;
}

/** On a machine that does other things as well. */
const longestScanMs = 110_000;

/** Waits until no scan runs, and one has begun after `before`. */
export async function untilSettled(
  host: TestHost,
  before?: string,
): Promise<{ running: boolean; message?: string; error?: string; done: number; total: number }> {
  const admin = host.as("admin");
  for (const end = performance.now() + longestScanMs; performance.now() < end;) {
    const state = (await admin.get("/api/scan-folder")).body;
    const begun = before === undefined || (state.startedAt !== undefined && state.startedAt !== before);
    if (!state.running && begun) return state;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error("The scan did not end.");
}

async function listFiles(host: TestHost, root: string): Promise<Awaited<ReturnType<TestLibrary["files"]>>> {
  const admin = host.as("admin");
  const series = (await admin.get("/api/collection")).body as Array<{ id: number; title: string }>;
  const found = [];
  for (const { id, title } of series) {
    const { status, body: document } = await admin.get(`/api/collection/${id}`);
    // Its last file may have gone meanwhile, and the series with it.
    if (status === 404) continue;
    for (const issue of document.issues ?? []) {
      for (const file of issue.files)
        found.push({
          path: file.path.slice(root.length + 1),
          series: title,
          number: issue.number,
          kind: issue.kind,
          valid: file.valid,
          ...(file.error && { error: file.error }),
          pages: file.pages,
          cvIssueId: issue.cvIssueId,
        });
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
