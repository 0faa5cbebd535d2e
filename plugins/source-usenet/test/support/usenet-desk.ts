import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NewznabServer, NntpServer, NzbgetProgram, SabnzbdProgram } from "@longbox/test/usenet";
import { expect } from "vitest";
import { openDownloadDesk, type DownloadDesk } from "../../../downloads/test/support/download-desk.js";
import { FakeClient } from "../../../downloads/test/support/fake-client.js";

export const mask = "********";

/** A server with a wanted series, and an indexer of Usenet. */
export interface UsenetDesk extends DownloadDesk {
  readonly indexer: NewznabServer;
  search(number: string, role?: string): Promise<any>;
  /** Searches for an issue, and takes the first result. */
  grab(number: string): Promise<void>;
}

interface Options {
  /** Default: a client that takes everything, and never finishes. */
  readonly client?: Readonly<Record<string, unknown>>;
  readonly indexer?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly string[];
}

export async function openUsenetDesk({ client, indexer: entry, plugins = [] }: Options = {}): Promise<UsenetDesk> {
  const indexer = await NewznabServer.start();
  const patient = { ...new FakeClient("").contribution, protocol: "usenet" as const };
  const desk = await openDownloadDesk({
    plugins: [...plugins, "source-usenet"],
    parts: { clients: client ? [] : [patient] },
  });
  const admin = desk.host.as("admin");
  const saved = await admin.post("/api/settings", {
    "source-usenet": {
      indexers: [{ name: "News", url: indexer.url, apiKey: indexer.apiKey, ...entry }],
      clients: client ? [client] : [],
    },
  });
  expect(saved.status).toBe(200);
  const search = async (number: string, role = "admin") =>
    desk.host.as(role).post("/api/usenet/search", { seriesId: desk.seriesId, cvIssueId: cvIssueId(number) });
  return {
    ...desk,
    indexer,
    search,
    async grab(number) {
      const [result] = (await search(number)).body;
      const target = { seriesId: desk.seriesId, cvIssueId: cvIssueId(number) };
      const { status, body } = await admin.post("/api/usenet/grab", { result, ...target });
      expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
    },
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      await indexer[Symbol.asyncDispose]();
    },
  };
}

export const cvIssueId = (number: string) => 50_010 + Number(number);

export type Program = NzbgetProgram | SabnzbdProgram;

/** A real download client with a news server of its own. */
export interface Clients extends AsyncDisposable {
  readonly news: NntpServer;
  readonly program: Program;
  /** The entry of the settings. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Its key or password. */
  readonly secret: string;
}

export async function startClient(kind: "nzbget" | "sabnzbd"): Promise<Clients> {
  const folder = await mkdtemp(join(tmpdir(), `longbox-${kind}-`));
  const news = await NntpServer.start();
  const program = await (kind === "nzbget" ? NzbgetProgram : SabnzbdProgram).start(folder, news);
  const secret = program instanceof NzbgetProgram ? program.password : program.apiKey;
  const secrets =
    program instanceof NzbgetProgram ? { username: program.username, password: secret } : { apiKey: secret };
  return {
    news,
    program,
    secret,
    entry: { name: "Client", kind, url: program.url, category: "comics", ...secrets },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await news[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
