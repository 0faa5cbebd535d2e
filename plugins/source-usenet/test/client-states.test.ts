import {
  DownloadClients,
  Downloads,
  Indexers,
  SourceTests,
  type ClientDownload,
  type DownloadClient,
} from "@longbox/downloads/contract";
import { definePlugin, type Contributions } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedClient } from "./support/scripted-client.js";

let server: ScriptedClient;
let host: TestHost;
let clients: Contributions<DownloadClient>;

/** In the place of downloads: hands out what was contributed. */
const looking = {
  manifest: {
    id: "looking",
    title: "Looking",
    description: "Looks at clients",
    sdk: "^1.0.0",
    provides: { downloads: "1.0.0" },
    opens: { downloadClients: "1.0.0", indexers: "1.0.0", sourceTests: "1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      clients = context.open(DownloadClients);
      context.open(Indexers);
      context.open(SourceTests);
      context.provide(Downloads, {
        search: async () => [],
        grab: async () => ({ id: 0 }),
        queue: async () => 0,
      });
    },
  }),
};

beforeAll(async () => {
  server = await ScriptedClient.start();
  const entry = { url: server.url, category: "comics", pathMap: [{ remote: "/remote", local: "/local" }] };
  host = await startTestHost({
    plugins: ["imaging", "collection", looking, "source-usenet"],
    settings: {
      "source-usenet": {
        clients: [
          { ...entry, name: "NZBGet", kind: "nzbget", username: "user", password: "pass" },
          { ...entry, name: "SABnzbd", kind: "sabnzbd", apiKey: "key" },
        ],
      },
    },
  });
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const client = (name: string) => clients.all().find((each) => each.name === name)!;

/** In words: the state, with the failure where there is one. */
function said(download: ClientDownload | undefined): string {
  if (!download) return "missing";
  return download.state === "failed" ? `failed: ${download.failure}` : download.state;
}

describe("NZBGet", () => {
  const sizes = { FileSizeHi: 1, FileSizeLo: -1, RemainingSizeHi: 0, RemainingSizeLo: 2 ** 31 };
  const group = (Status: string) => [{ NZBID: 7, NZBName: "A", Status, DupeKey: "key-0001", ...sizes }];
  const past = (Status: string, FinalDir = "") => [
    { NZBID: 7, Name: "A", Status, DestDir: "/remote/A", FinalDir, DupeKey: "key-0001", ...sizes },
  ];

  it.each([
    ["QUEUED", "queued"],
    ["PAUSED", "paused"],
    ["DOWNLOADING", "downloading"],
    ["FETCHING", "downloading"],
    ["PP_QUEUED", "processing"],
    ["UNPACKING", "processing"],
    ["WHAT_IS_NEW", "processing"],
  ])("has a download that is %s", async (status, state) => {
    server.asNzbget({ listgroups: group(status), history: [], status: { DownloadRate: 1024 } });
    const [download] = await client("NZBGet").poll(["7"]);
    expect(said(download)).toBe(state);
    expect(download!.sizeBytes).toBe(2 ** 33 - 1);
    expect(download!.progress).toBeCloseTo(0.75);
  });

  it.each([
    ["SUCCESS/HEALTH", "completed"],
    ["WARNING/SCRIPT", "completed"],
    ["WARNING/SPACE", "failed: disk"],
    ["WARNING/PASSWORD", "failed: password"],
    ["WARNING/DAMAGED", "failed: damaged"],
    ["FAILURE/PAR", "failed: damaged"],
    ["FAILURE/HEALTH", "failed: incomplete"],
    ["FAILURE/SCAN", "failed: refused"],
    ["FAILURE/MOVE", "failed: client"],
    ["FAILURE/NEW", "failed: damaged"],
    ["DELETED/HEALTH", "failed: incomplete"],
    ["DELETED/DUPE", "failed: refused"],
    ["DELETED/MANUAL", "failed: refused"],
  ])("ended a download with %s", async (status, state) => {
    server.asNzbget({ listgroups: [], history: past(status) });
    const [download] = await client("NZBGet").poll(["7"]);
    expect(said(download)).toBe(state);
    if (download!.state === "completed") expect(download!.path).toBe("/local/A");
  });

  it("says the final folder where a script moved the files, and leaves out what it does not have", async () => {
    server.asNzbget({ listgroups: [], history: past("SUCCESS/ALL", "/remote/final/A") });
    expect(await client("NZBGet").poll(["7", "8"])).toMatchObject([{ id: "7", path: "/local/final/A" }]);
  });

  it.each([
    ["21.0", 10],
    ["24.8", 10],
    ["25.0", 11],
  ])("%s is given %i parameters with a new download", async (version, count) => {
    const called = server.asNzbget({ version, append: 9 });
    const bytes = new TextEncoder().encode("<nzb/>");
    const order = { key: "key-0001", title: "A/B: {{C}}", signal: new AbortController().signal };
    expect(await client("NZBGet").add({ kind: "file", name: "a.nzb", bytes }, order)).toEqual({ id: "9" });
    const parameters = called.get("append")!;
    expect(parameters).toHaveLength(count);
    const [name, content, category, , , , key, , mode] = parameters;
    expect([name, content, category, key, mode]).toEqual([
      "A B C [key-0001].nzb",
      Buffer.from(bytes).toString("base64"),
      "comics",
      "key-0001",
      "FORCE",
    ]);
  });

  it("refuses a file: that release is not tried again", async () => {
    server.asNzbget({ version: "21.0", append: 0 });
    const order = { key: "key-0001", title: "A", signal: new AbortController().signal };
    const adding = client("NZBGet").add({ kind: "file", name: "a.nzb", bytes: new Uint8Array(1) }, order);
    await expect(adding).rejects.toMatchObject({ kind: "bad-input", code: "source-usenet/client-refuses-file" });
  });
});

describe("SABnzbd", () => {
  const queued = (status: string, labels: readonly string[] = []) => ({
    queue: {
      queue: {
        kbpersec: "100.0",
        slots: [{ nzo_id: "n", filename: "A", status, mb: "4.0", mbleft: "1.0", timeleft: "1:00:00:10", labels }],
      },
    },
    history: { history: { slots: [] } },
  });
  const ended = (status: string, fail_message = "") => ({
    queue: { queue: { kbpersec: "0", slots: [] } },
    history: { history: { slots: [{ nzo_id: "n", name: "A", status, fail_message, storage: "/remote/A", bytes: 5 }] } },
  });

  it.each([
    ["Queued", [], "queued"],
    ["Downloading", [], "downloading"],
    ["Fetching", [], "downloading"],
    ["Checking", [], "processing"],
    ["Paused", [], "paused"],
    ["Paused", ["ENCRYPTED"], "failed: password"],
    ["Paused", ["DUPLICATE"], "failed: refused"],
    ["Paused", ["UNWANTED"], "failed: refused"],
  ])("has a download that is %s %j", async (status, labels, state) => {
    server.asSabnzbd(queued(status, labels));
    const [download] = await client("SABnzbd").poll(["n"]);
    expect(said(download)).toBe(state);
    expect(download).toMatchObject({ sizeBytes: 4 * 1024 * 1024, progress: 0.75 });
    if (status === "Downloading") expect(download).toMatchObject({ bytesPerSecond: 102_400, secondsLeft: 86_410 });
  });

  it.each([
    ["Completed", "", "completed"],
    ["Repairing", "", "processing"],
    ["Failed", "Download failed - Not on your server(s)", "failed: incomplete"],
    ["Failed", "Aborted, cannot be completed - https://sabnzbd.org/not-complete", "failed: incomplete"],
    ["Failed", "Unpacking failed, archive requires a password", "failed: password"],
    ["Failed", "Unpacking failed, write error or disk is full?", "failed: disk"],
    ["Failed", "Repair failed, not enough repair blocks (12 short)", "failed: damaged"],
    ["Failed", "Duplicate NZB", "failed: refused"],
    ["Failed", "Post-processing script failed", "failed: client"],
    ["Failed", "What is new", "failed: damaged"],
  ])("ended a download as %s: %s", async (status, message, state) => {
    server.asSabnzbd(ended(status, message));
    const [download] = await client("SABnzbd").poll(["n"]);
    expect(said(download)).toBe(state);
    if (download!.state === "completed") expect(download!.path).toBe("/local/A");
  });

  it("takes nothing that it has removed", async () => {
    server.asSabnzbd({ queue: { status: false }, history: { history: { slots: [] } } });
    await expect(client("SABnzbd").remove("n", { deleteFiles: true })).resolves.toBeUndefined();
  });
});

describe("a program that is no client", () => {
  it.each([
    ["a web page", "<!doctype html><html></html>", /web page\. Check the address/],
    ["nothing", "", /cannot be read/],
    ["JSON of another program", '{"hello":"world"}', /cannot be read/],
    ["JSON without an end", "[".repeat(200_000), /cannot be read/],
    ["too much", "x".repeat(17 * 1024 * 1024), /larger than/],
  ])("answers with %s: the test says so", async (_, answer, message) => {
    server.answer = (_body, _request, response) => response.end(answer);
    for (const kind of ["nzbget", "sabnzbd"]) {
      const { status, body } = await host.as("admin").post("/api/clients/test", { kind, url: server.url });
      expect({ status, ok: body.ok }).toEqual({ status: 200, ok: false });
      expect(body.message).toMatch(message);
    }
  });

  it("sends requests elsewhere: they do not follow", async () => {
    server.answer = (_body, _request, response) => response.writeHead(307, { location: "http://10.0.0.1/" }).end();
    const { body } = await host.as("admin").post("/api/clients/test", { kind: "nzbget", url: server.url });
    expect(body).toMatchObject({ ok: false, message: expect.stringMatching(/sends the request elsewhere/) });
  });

  it("lets the user for adding files only do no more: the test says which one is needed", async () => {
    server.answer = (body, _request, response) => {
      const denied = { error: { name: "JSONRPCError", code: 401, message: "Access denied" } };
      response.end(JSON.stringify(body.includes('"version"') ? { result: "21.0" } : denied));
    };
    const { body } = await host.as("admin").post("/api/clients/test", { kind: "nzbget", url: server.url });
    expect(body).toMatchObject({ ok: false, message: expect.stringMatching(/ControlUsername/) });
  });
});
