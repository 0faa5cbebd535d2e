// A real kernel with downloads, on the durable storage, in a process of its own: a series of 600 wanted issues, a
// source whose releases are the files of a folder, and a client that has finished what lies in another folder.
// Prints its address, a key of an admin and the ids of the series and its issues on stdout; ends when stdin does.
// Arguments: the data folder, the folder of the library, the address of the source's files, the folder of the client.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Catalog, Collection } from "@longbox/collection/contract";
import {
  DownloadClients,
  DownloadSources,
  Indexers,
  type ClientDownload,
  type DownloadClient,
  type DownloadSource,
  type Indexer,
  type Release,
} from "@longbox/downloads/contract";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";

const [, , dataFolder = "", libraryFolder = "", filesUrl = "", clientFolder = ""] = process.argv;
const title = "Cargo Night";
const clientIssue = "2";

function releaseOf(number: string, protocol: Release["protocol"]): Release {
  const name = `${title} ${number.padStart(3, "0")} (2019) (Digital).cbz`;
  return { guid: number, title: name, protocol, reference: `${filesUrl}/${number}.cbz`, seeders: 9 };
}

const source: DownloadSource = {
  id: "bench-source:files",
  name: "Files",
  kind: "site",
  enabled: true,
  search: async ({ issue }) => (issue && issue.number !== clientIssue ? [releaseOf(issue.number, "direct")] : []),
  resolve: async ({ reference }) => ({ places: [{ url: reference, configuredUrl: filesUrl }] }),
};

const indexer: Indexer = {
  id: "bench-source:indexer",
  name: "Indexer",
  enabled: true,
  protocol: "torrent",
  search: async ({ issue }) => (issue?.number === clientIssue ? [releaseOf(issue.number, "torrent")] : []),
  grab: async () => ({ kind: "file", name: "2.torrent", bytes: new Uint8Array(100) }),
};

const done = join(clientFolder, "done");
const download: ClientDownload = { id: "only", sizeBytes: 40_000_000, progress: 0.97, state: "downloading" };
const client: DownloadClient = {
  id: "bench-source:client",
  name: "Client",
  enabled: true,
  protocol: "torrent",
  shares: true,
  removesImported: false,
  add: async () => ({ id: "only" }),
  find: async () => undefined,
  poll: async () => [existsSync(done) ? { ...download, progress: 1, state: "completed", path: done } : download],
  remove: async () => undefined,
};

const benchSource = {
  manifest: {
    id: "bench-source",
    title: "Bench",
    description: "What the bench downloads",
    sdk: "^1.0.0",
    contributes: { downloadSources: "^1.0.0", indexers: "^1.0.0", downloadClients: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      context.contribute(DownloadSources, source);
      context.contribute(Indexers, indexer);
      context.contribute(DownloadClients, client);
    },
  }),
};

async function begin(host: TestHost): Promise<void> {
  const admin = host.as("admin");
  if ((await host.use(Catalog).findByVolumes([7001], systemViewer)).length > 0) return;
  const { status } = await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: libraryFolder });
  if (status >= 300) throw new Error(`The library was answered by ${status}.`);
  const issues = Array.from({ length: 600 }, (_, at) => ({
    cvIssueId: 70_000 + at + 1,
    number: String(at + 1),
    coverDate: "2019-05-01",
  }));
  const volume = {
    cvId: 7001,
    title,
    publisher: "Lamplight",
    year: 2019,
    aliases: [],
    status: "ended" as const,
    issues,
  };
  await host.use(Catalog).addVolume(volume, { viewer: systemViewer, download: false });
}

const host = await startTestHost({
  plugins: ["operations", "imaging", "collection", "files", "comics", "reading", "reader", "downloads", benchSource],
  storage: "sqlite",
  dataFolder,
  settings: {
    files: { watchFolders: false },
    downloads: { minMegabytes: 0, keepFreeMegabytes: 0, automatic: false },
  },
});
await begin(host);
const [known] = await host.use(Catalog).findByVolumes([7001], systemViewer);
const issues = await host.use(Collection).listIssues(known!.seriesId, systemViewer);
const issueIds = Object.fromEntries(issues.slice(0, 5).map(({ number, id }) => [number, id]));
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key, issueIds })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
