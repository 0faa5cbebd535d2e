import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawPage, seededRandom, writeArchive } from "@longbox/test/fixtures";
import sharp from "sharp";
import { Agent, request } from "undici";
import { startChild, type ReadyChild } from "./child.ts";

/** One issue of the bench: how its pages are made. */
export interface IssuePlan {
  readonly name: string;
  readonly pages: number;
  /** Bytes of each page. */
  readonly pageBytes: number;
  /** Scans that can be decoded, rather than bytes that only weigh as much. */
  readonly scans?: true;
}

interface Address {
  readonly url: string;
  readonly key: string;
}

/** A server over a folder of archives, and the same pages as plain files in `plain`. */
export interface BenchRoom extends AsyncDisposable {
  readonly url: string;
  readonly processId: number;
  readonly plain: string;
  /** Issue ids by the name of the plan. */
  readonly issues: ReadonlyMap<string, number>;
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; bytes: number; etag: string }>;
  page(name: string, page: number, query?: string): string;
}

export async function openBenchRoom(plans: readonly IssuePlan[]): Promise<BenchRoom> {
  const home = await mkdtemp(join(tmpdir(), "longbox-bench-pages-"));
  const [comics, plain, data] = ["comics", "plain", "data"].map((name) => join(home, name)) as [string, string, string];
  await Promise.all([comics, plain, data].map((folder) => mkdir(folder)));
  for (const plan of plans) await writeIssue(plan, comics, plain);
  const server = await startChild<Address>(`${import.meta.dirname}/reading-server.ts`, [data]);
  const agent = new Agent({ connections: 16 });
  const issues = await scanned(server, agent, { comics, issues: plans.length });
  return {
    url: server.ready.url,
    processId: server.process.pid as number,
    plain,
    issues,
    page: (name, page, query = "") => `${server.ready.url}/api/reader/issue/${issues.get(name)}/page/${page}${query}`,
    get: (url, headers = {}) => get(agent, url, { "x-api-key": server.ready.key, ...headers }),
    async [Symbol.asyncDispose]() {
      await agent.close();
      await server[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export async function get(
  agent: Agent,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; bytes: number; etag: string }> {
  const { statusCode, headers: told, body } = await request(url, { dispatcher: agent, headers });
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  if (statusCode !== 200 && statusCode !== 304) throw new Error(`${url} answered ${statusCode}`);
  return { status: statusCode, bytes, etag: String(told["etag"] ?? "") };
}

async function writeIssue(plan: IssuePlan, comics: string, plain: string): Promise<void> {
  const entries = new Map<string, Uint8Array>();
  await mkdir(join(plain, plan.name));
  for (let page = 0; page < plan.pages; page++) {
    const bytes = await pageOf(page, plan);
    entries.set(`${String(page).padStart(4, "0")}.jpg`, bytes);
    await writeFile(join(plain, plan.name, `${page}.jpg`), bytes);
  }
  await writeArchive(join(comics, plan.name, `${plan.name} 001.cbz`), entries);
}

const drawn = new Map<string, Promise<Uint8Array>>();

/** The same pages in every issue of one plan: archives and files differ, which is what counts. */
function pageOf(page: number, { pageBytes, scans }: IssuePlan): Promise<Uint8Array> {
  const key = `${page} ${pageBytes} ${scans ?? false}`;
  const made = drawn.get(key) ?? (scans ? drawScan(page, pageBytes) : Promise.resolve(weight(page, pageBytes)));
  drawn.set(key, made);
  return made;
}

/** Bytes that begin as a JPEG does and cannot be compressed. */
function weight(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const random = seededRandom(seed + 1);
  const words = new Uint32Array(bytes.buffer, 0, length >>> 2);
  for (let index = 0; index < words.length; index++) words[index] = random.next() * 0xffff_ffff;
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
}

/** A drawn page under the grain of a scanner, which gives it about that weight. */
async function drawScan(seed: number, wantedBytes: number): Promise<Uint8Array> {
  const size = { width: 1988, height: 3057 };
  const drawn = await drawPage(seed, String(seed), { ...size, format: "png" });
  const grain = await sharp({
    create: { ...size, channels: 3, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 14 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const image = sharp(drawn).composite([{ input: grain, blend: "soft-light" }]);
  let bytes = await image.clone().jpeg({ quality: 80 }).toBuffer();
  if (bytes.length > wantedBytes * 1.4) bytes = await image.clone().jpeg({ quality: 60 }).toBuffer();
  return bytes;
}

async function scanned(
  server: ReadyChild<Address>,
  agent: Agent,
  { comics, issues }: { readonly comics: string; readonly issues: number },
): Promise<Map<string, number>> {
  const { url, key } = server.ready;
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const json = async (path: string, body?: unknown) =>
    (
      await request(url + path, {
        dispatcher: agent,
        method: body === undefined ? "GET" : "POST",
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    ).body.json() as Promise<any>;
  await json("/api/libraries", { name: "Comics", type: "comic", rootFolder: comics });
  const found = new Map<string, number>();
  for (let tries = 0; found.size < issues; tries++) {
    if (tries > 600)
      throw new Error(`The library was not scanned in a minute; there are ${[...found.keys()].join(", ")}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const { id, title } of (await json("/api/collection")) as Array<{ id: number; title: string }>) {
      const [issue] = (await json(`/api/collection/${id}`)).issues as Array<{ cvIssueId: number; owned: boolean }>;
      if (issue?.owned) found.set(title, issue.cvIssueId);
    }
  }
  return found;
}
