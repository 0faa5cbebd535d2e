import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalog, Collection } from "@longbox/collection/contract";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { comicEntries, zip } from "@longbox/test/fixtures";
import {
  DownloadClients,
  DownloadSources,
  Indexers,
  type DirectDownload,
  type DownloadClient,
  type DownloadSource,
  type Indexer,
  type Release,
  type ReleaseQuery,
} from "@longbox/downloads/contract";

export const comic = async (number: string, pages = 2, series = "Moth Patrol") =>
  zip(await comicEntries({ series, number, pages, tags: { Series: series, Number: number } }));

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of files, on loopback. */
export class FileServer implements AsyncDisposable {
  readonly routes = new Map<string, Handler>();
  readonly asked: IncomingMessage[] = [];
  /** How many answers their receiver broke off. */
  interrupted = 0;
  readonly #server = createServer((request, response) => {
    this.asked.push(request);
    const handler = this.routes.get(new URL(request.url ?? "/", "http://here").pathname);
    if (handler) handler(request, response);
    else response.writeHead(404).end("There is nothing here.");
  });

  static async start(): Promise<FileServer> {
    const server = new FileServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A file with ranges and a validator, sent in pieces of this size with a breath between them. */
  serve(path: string, bytes: Uint8Array, { pieceBytes = bytes.length, breathMs = 0, headers = {} } = {}): string {
    this.routes.set(path, (request, response) => {
      const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
      const fits = range !== null && request.headers["if-range"] === '"one"';
      const from = fits ? Number(range[1]) : 0;
      if (from >= bytes.length) {
        response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
        return;
      }
      response.writeHead(fits ? 206 : 200, {
        etag: '"one"',
        "content-length": bytes.length - from,
        ...(fits && { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
        ...headers,
      });
      void send(response, bytes.subarray(from), { pieceBytes, breathMs }).then((isWhole) => {
        if (!isWhole) this.interrupted += 1;
      });
    });
    return this.url + path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function send(
  response: ServerResponse,
  bytes: Uint8Array,
  { pieceBytes, breathMs }: { readonly pieceBytes: number; readonly breathMs: number },
): Promise<boolean> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += pieceBytes) {
    response.write(bytes.subarray(at, at + pieceBytes));
    if (breathMs > 0) await new Promise((resolve) => setTimeout(resolve, breathMs));
  }
  const isWhole = !response.destroyed;
  response.end();
  return isWhole;
}

export interface FakeSource {
  releases: Release[];
  /** What `resolve` answers, by guid; by default the reference is the address. */
  downloads: Map<string, DirectDownload>;
  failure: Error | undefined;
  latest: Release[];
  readonly queries: ReleaseQuery[];
  /** The address that an admin entered. */
  configuredUrl: string | undefined;
}

export function fakeSource(): FakeSource {
  const empty = { releases: [], latest: [], downloads: new Map(), failure: undefined, queries: [] };
  return { ...empty, configuredUrl: undefined };
}

export interface FakeParts {
  readonly source: FakeSource;
  readonly indexers?: readonly Indexer[];
  readonly clients?: readonly DownloadClient[];
}

function fakePlugin({ source, indexers = [], clients = [] }: FakeParts) {
  const manifest = {
    id: "fake-source",
    title: "Fake",
    description: "A source of the tests",
    sdk: "^1.0.0",
    contributes: { downloadSources: "^1.0.0", indexers: "^1.0.0", downloadClients: "^1.0.0" },
  };
  const contribution: DownloadSource = {
    id: "fake-source:one",
    name: "Fake",
    kind: "site",
    enabled: true,
    async search(query) {
      source.queries.push(query);
      if (source.failure) throw source.failure;
      return source.releases;
    },
    latest: async () => source.latest,
    resolve: async (release) =>
      source.downloads.get(release.guid) ?? {
        places: [{ url: release.reference, configuredUrl: source.configuredUrl }],
      },
  };
  const plugin = definePlugin({
    activate(_, context) {
      context.contribute(DownloadSources, contribution);
      for (const indexer of indexers) context.contribute(Indexers, indexer);
      for (const client of clients) context.contribute(DownloadClients, client);
    },
  });
  return { manifest, plugin };
}

export interface DownloadDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly files: FileServer;
  readonly source: FakeSource;
  readonly seriesId: number;
  /** The folder of the library. */
  readonly root: string;
  /** The internal id of an issue of Moth Patrol. */
  issueId(number: string): Promise<number>;
  /** A release of the file server's. */
  offer(number: string, bytes: Uint8Array, target?: Partial<Release>): Release;
  queue(role?: string): Promise<any>;
  /** The item of an issue, in whatever state. */
  item(number: string): Promise<any>;
  /** Waits until the library has these issues. */
  owns(...numbers: string[]): Promise<void>;
  filesInLibrary(): Promise<string[]>;
}

export const volume = {
  cvId: 5001,
  title: "Moth Patrol",
  publisher: "Lamplight",
  year: 2019,
  aliases: ["Night Moths"],
  status: "ended" as const,
  issues: Array.from({ length: 12 }, (_, at) => ({
    cvIssueId: 50_011 + at,
    number: String(at + 1),
    coverDate: "2019-05-01",
  })),
};

type DeskOptions = TestHostOptions & { readonly parts?: Partial<FakeParts>; readonly root?: string };

/** A server with a wanted series of twelve issues, a source that says what a test tells it, and a server of files. */
export async function openDownloadDesk(options: DeskOptions = {}): Promise<DownloadDesk> {
  const { settings, plugins = [], parts = {}, root: given, ...rest } = options;
  const own = given ?? (await mkdtemp(join(tmpdir(), "longbox-downloads-")));
  const root = join(own, "comics");
  await mkdir(root, { recursive: true });
  const files = await FileServer.start();
  const source = parts.source ?? fakeSource();
  source.configuredUrl ??= files.url;
  const host = await startTestHost({
    ...rest,
    plugins: [
      ...["operations", "imaging", "collection", "files", "comics", "notifications", "downloads"],
      fakePlugin({ ...parts, source }),
      ...plugins,
    ],
    settings: {
      files: { watchFolders: false },
      downloads: { minMegabytes: 0, keepFreeMegabytes: 0, ...settings?.["downloads"] },
      ...Object.fromEntries(Object.entries(settings ?? {}).filter(([id]) => id !== "downloads")),
    },
  });
  await stopSchedules(host);
  return deskOf({ host, files, source, root, seriesId: await begin(host, root) }, async () => {
    await host[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
    if (given === undefined) await rm(own, { recursive: true, force: true });
  });
}

/** Only tests run them: at every quarter of an hour they would take a release before the test does. */
async function stopSchedules(host: TestHost): Promise<void> {
  for (const key of ["downloads.feeds", "downloads.search"]) {
    const stopped = await host.as("admin").post(`/api/schedules/${key}`, { enabled: false });
    if (stopped.status !== 200) throw new Error(`The schedule ${key} goes on: ${JSON.stringify(stopped.body)}`);
  }
}

type DeskParts = Pick<DownloadDesk, "host" | "files" | "source" | "seriesId" | "root">;

function deskOf(parts: DeskParts, dispose: () => Promise<void>): DownloadDesk {
  const { host, root, seriesId } = parts;
  const listIssues = () => host.use(Collection).listIssues(seriesId, systemViewer);
  const queue = async (role = "admin") => (await host.as(role).get("/api/queue")).body;
  return {
    ...parts,
    issueId: async (number) => (await listIssues()).find((issue) => issue.number === number)!.id,
    queue,
    item: async (number) => (await queue()).items.find((each: { number: string }) => each.number === number),
    offer: (number, bytes, target) => offerOf(parts, { number, bytes, ...target }),
    async owns(...numbers) {
      await until(async () => {
        const issues = await listIssues();
        return numbers.every((number) => issues.some((issue) => issue.number === number && issue.owned));
      }, 240).catch(async (fault: Error) => {
        throw new Error(`${fault.message} ${JSON.stringify((await queue()).items)}`);
      });
      // An item that was cut off may wait for a minute or two before it finds its issue owned.
      await until(async () => !(await queue()).items.some((each: any) => numbers.includes(each.number)), 240).catch(
        async (fault: Error) => {
          throw new Error(`${fault.message} ${JSON.stringify((await queue()).items)}`);
        },
      );
    },
    filesInLibrary: async () =>
      (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".cbz")).toSorted(),
    [Symbol.asyncDispose]: dispose,
  };
}

function offerOf(
  { files, source }: DeskParts,
  { number, bytes, ...target }: { number: string; bytes: Uint8Array } & Partial<Release>,
): Release {
  const release: Release = {
    guid: number,
    title: `Moth Patrol ${number.padStart(3, "0")} (2019) (Digital).cbz`,
    protocol: "direct",
    reference: files.serve(`/files/${encodeURIComponent(target.guid ?? number)}.cbz`, bytes),
    sizeBytes: bytes.length,
    ...target,
  };
  source.releases.push(release);
  return release;
}

/** The library and the series, once. */
async function begin(host: TestHost, root: string): Promise<number> {
  const admin = host.as("admin");
  const { body } = await admin.get("/api/libraries");
  if (!(body.libraries ?? body).some((library: { name: string }) => library.name === "Comics"))
    await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  const [known] = await host.use(Catalog).findByVolumes([volume.cvId], systemViewer);
  return (
    known?.seriesId ?? (await host.use(Catalog).addVolume(volume, { viewer: systemViewer, download: false })).seriesId
  );
}

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It did not come to pass in ${seconds} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Runs a schedule now, and waits for it. @returns what its job says */
export async function runSchedule(desk: Pick<DownloadDesk, "host">, key: string): Promise<string> {
  const admin = desk.host.as("admin");
  const { jobId } = (await admin.post(`/api/schedules/${key}/run`)).body;
  let job: any;
  await until(async () => {
    job = (await admin.get(`/api/jobs/${jobId}`)).body;
    return ["done", "failed", "cancelled"].includes(job.state);
  });
  if (job.state !== "done") throw new Error(`${key} ended as ${job.state}: ${job.error}`);
  return job.message;
}
