import { comicEntries, zip } from "@longbox/test/fixtures";
import { TorznabServer, type RunningClient } from "@longbox/test/torrent";
import type { DownloadClient } from "@longbox/downloads/contract";
import { openDownloadDesk, until, type DownloadDesk } from "../../../downloads/test/support/download-desk.js";

/** Planted in the settings, in addresses and in answers, and then looked for. */
export const apiKey = "k3yOfTheIndexer0123456789abcdef";
export const password = "a long secret of the torrent client";

export const comic = async (number: string, series = "Moth Patrol", pages = 3) =>
  zip(await comicEntries({ series, number, pages, tags: { Series: series, Number: number } }));

/** The issue of the desk's series with this number, as clients call it. */
export const cvIssueId = (number: string) => 50_010 + Number(number);

export interface TorrentDesk extends DownloadDesk {
  readonly indexer: TorznabServer;
  search(number: string): Promise<any>;
  get(number: string): Promise<void>;
  blocked(): Promise<any[]>;
  /** Ends what is under way for an issue, so that the next test begins with nothing. */
  forget(number: string): Promise<void>;
}

export interface TorrentDeskOptions {
  readonly kind?: "qbittorrent" | "transmission";
  readonly client?: Pick<RunningClient, "url" | "username" | "password">;
  /** A client that another plugin brings. */
  readonly other?: DownloadClient;
}

/** A server with a wanted series, an indexer of the test's and, where one is given, a torrent client. */
export async function openTorrentDesk(options: TorrentDeskOptions = {}): Promise<TorrentDesk> {
  const { kind = "qbittorrent", client, other } = options;
  const indexer = await TorznabServer.start(apiKey);
  const plugins = ["reading", "reader", "source-torrent"];
  const desk = await openDownloadDesk({ plugins, ...(other && { parts: { clients: [other] } }) });
  const clients = client ? [{ name: "Client", kind, ...loginOf(client) }] : [];
  const settings = { indexers: [{ name: "Stand-in", url: indexer.url, apiKey }], clients };
  const saved = await desk.host.as("admin").post("/api/settings", { "source-torrent": settings });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  return torrentDeskOf(desk, indexer);
}

const loginOf = ({ url, username, password: secret }: Pick<RunningClient, "url" | "username" | "password">) => ({
  url,
  username,
  password: secret,
});

const ended = new Set(["done", "failed", "cancelled"]);

function torrentDeskOf(desk: DownloadDesk, indexer: TorznabServer): TorrentDesk {
  // Each time: after a restart it is another one.
  const admin = () => desk.host.as("admin");
  return {
    ...desk,
    indexer,
    search: async (number) =>
      (await admin().post("/api/search", { seriesId: desk.seriesId, cvIssueId: cvIssueId(number) })).body,
    async get(number) {
      await admin().post("/api/download", { issueIds: [await desk.issueId(number)] });
    },
    async forget(number) {
      await until(async () => {
        const item = await desk.item(number);
        if (item === undefined || ended.has(item.status)) return true;
        await admin().post(`/api/queue/cancel/${item.id}`);
        return false;
      });
      await admin().post("/api/blacklist/clear");
    },
    blocked: async () => (await admin().get("/api/blacklist")).body.rows,
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      await indexer[Symbol.asyncDispose]();
    },
  };
}
