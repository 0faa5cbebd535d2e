import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry } from "@longbox/registry";

const folder = join(import.meta.dirname, "../..");

/** A running server that the plugin was installed into from a registry, and an empty folder for its books. */
export interface BookServer extends AsyncDisposable {
  readonly host: KernelTestHost;
  readonly root: string;
  readonly installed: { readonly status: number; readonly body: unknown };
  /** Scans the library and waits for the end. */
  scan(): Promise<void>;
}

interface BookServerOptions {
  /** Installs the plugin from a registry instead of from its folder. */
  readonly published: boolean;
  /** Further plugins beside those that the example needs. */
  readonly plugins?: KernelTestHostOptions["plugins"];
}

const needed = ["imaging", "operations", "collection", "files", "reading", "opds", "web"];

/** @param fill - Writes books before the library is made */
export async function startBookServer(
  fill: (root: string) => Promise<void>,
  { published, plugins = [] }: BookServerOptions,
): Promise<BookServer> {
  const data = await mkdtemp(join(tmpdir(), "longbox-text-books-"));
  const root = await mkdtemp(join(tmpdir(), "longbox-text-library-"));
  await using opening = new AsyncDisposableStack();
  for (const path of [data, root]) opening.defer(() => rm(path, { recursive: true, force: true }));
  const registry = published ? opening.use(await startRegistry({ folder: join(data, "registry") })) : undefined;
  if (registry) await publishBuilt(folder, registry);
  const host = opening.use(
    await startKernelTestHost({
      plugins: [...needed, ...plugins, ...(published ? [] : [folder])],
      settings: { files: { watchFolders: false } },
      ...(registry && { registry: registry.url }),
    }),
  );
  const admin = host.as("admin");
  const installed = published
    ? await admin.post("/api/plugins/install", { name: "@longbox/example-text-books" })
    : { status: 0, body: undefined };
  await fill(root);
  const made = await admin.post("/api/libraries", { name: "Texts", type: "text", rootFolder: root });
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  await untilScanned(host, undefined);
  const owned = opening.move();
  return {
    host,
    root,
    installed,
    async scan() {
      const { startedAt } = (await admin.get("/api/scan-folder")).body;
      await admin.post(`/api/libraries/${made.body.id}/scan`);
      await untilScanned(host, startedAt);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function untilScanned(host: KernelTestHost, before: string | undefined): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { running, startedAt } = (await host.as("admin").get("/api/scan-folder")).body;
    if (!running && startedAt !== undefined && startedAt !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The scan did not end in a minute.");
}

/** A text of about this many bytes, in numbered lines. */
export function longText(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)!.length + 1)
    lines.push(`Line ${lines.length + 1}: the tide came in over the salt road, and they went on.`);
  return `${lines.join("\n")}\n`;
}
