// A scan of 20,000 small tagged CBZs from nothing, everything stored; the same again unchanged; one new file among
// 100,000. The server is the one that `npm start` leaves behind, packed and with installed plugins. The yardstick is
// one bare loop that reads the directory and the tags of the same files and keeps nothing.
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { inflateRawSync } from "node:zlib";
import { comicInfoXml, zip } from "@longbox/test/fixtures";
import { Agent, request } from "undici";
import { askSteadily, percentile, report } from "./support/measure.ts";
import { startServed } from "./support/served/served.ts";

const issuesPerSeries = 40;
const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(600, 7)]);
const root = await mkdtemp(join(tmpdir(), "longbox-bench-scan-"));
const data = await mkdtemp(join(tmpdir(), "longbox-bench-scan-data-"));

function writeComics(from: number, to: number): void {
  for (let series = from; series < to; series++) {
    const folder = join(root, `Series ${series} (2019)`);
    mkdirSync(folder);
    for (let number = 1; number <= issuesPerSeries; number++)
      writeFileSync(
        join(folder, `Series ${series} ${String(number).padStart(3, "0")} (2019).cbz`),
        comic(series, number),
      );
  }
}

function comic(series: number, number: number): Uint8Array {
  const tags = comicInfoXml({
    Title: `Part ${number}`,
    Series: `Series ${series}`,
    Number: number,
    Volume: 2019,
    Summary: `What happens in ${series} ${number}, in a sentence or two.`,
    Year: 2019,
    Month: (number % 12) + 1,
    Writer: "Ada Quill, Bo Fern",
    Penciller: `Artist ${series % 97}`,
    Publisher: `House ${series % 12}`,
    PageCount: 4,
  });
  return zip(
    new Map([
      ...Array.from({ length: 4 }, (_, index) => [`00${index + 1}.jpg`, page] as const),
      ["ComicInfo.xml", Buffer.from(tags)],
    ]),
  );
}

/** Reads what a scan must read: each file's end, its directory, and the deflated tags. */
function bareLoop(): number {
  const begun = performance.now();
  for (const folder of readdirSync(root)) {
    for (const name of readdirSync(join(root, folder))) {
      const descriptor = openSync(join(root, folder, name), "r");
      const { size } = fstatSync(descriptor);
      const tail = Buffer.allocUnsafe(Math.min(size, 1024));
      readSync(descriptor, tail, 0, tail.length, size - tail.length);
      const end = tail.length - 22;
      let at = tail.readUInt32LE(end + 16) - (size - tail.length);
      for (let entry = tail.readUInt16LE(end + 10); entry > 0; entry--) {
        const nameBytes = tail.readUInt16LE(at + 28);
        if (tail.toString("latin1", at + 46, at + 46 + nameBytes) === "ComicInfo.xml") {
          const packed = Buffer.allocUnsafe(30 + nameBytes + tail.readUInt32LE(at + 20));
          readSync(descriptor, packed, 0, packed.length, tail.readUInt32LE(at + 42));
          inflateRawSync(packed.subarray(30 + nameBytes));
        }
        at += 46 + nameBytes + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
      }
      closeSync(descriptor);
    }
  }
  return performance.now() - begun;
}

async function peakBytes(processId: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${processId}/status`, "utf8"))?.[1]) * 1024;
}

try {
  writeComics(0, 500);
  bareLoop();
  const bare = bareLoop();
  await using server = await startServed(["operations", "collection", "files", "comics"], data);
  await using dispatcher = Object.assign(new Agent({ connections: 100 }), {
    [Symbol.asyncDispose]: async () => dispatcher.close(),
  });
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const answer = await request(server.url + path, {
      dispatcher,
      method,
      headers: { ...server.headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.body.json()) as any;
  };
  const pinging = askSteadily(5, async () => {
    await (await request(`${server.url}/healthz`, { dispatcher })).body.dump();
  });
  const scanned = async (begin: () => Promise<unknown>) => {
    const before = (await call("GET", "/api/scan-folder")).startedAt;
    const begun = performance.now();
    await begin();
    for (;;) {
      const state = await call("GET", "/api/scan-folder");
      if (!state.running && state.startedAt !== before) return { milliseconds: performance.now() - begun, state };
      await wait(20);
    }
  };

  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".cbz")).length;
  const first = await scanned(() =>
    call("POST", "/api/libraries", { name: "Comics", type: "comic", rootFolder: root }),
  );
  const { issues } = (await call("GET", "/api/collection?limit=1"))[0] ?? {};
  report({
    bench: "scan",
    figure: "CBZs from nothing",
    files,
    milliseconds: first.milliseconds,
    filesPerSecond: files / (first.milliseconds / 1000),
    bareLoopMilliseconds: bare,
    ratio: first.milliseconds / bare,
    atMost: { ratio: 30 },
    issues,
    message: first.state.message,
    goal: "5,000 files a second",
  });
  const pings = await pinging.end();
  report({
    bench: "scan",
    figure: "/healthz during the scan",
    p50Milliseconds: percentile(pings, 0.5),
    p99Milliseconds: percentile(pings, 0.99),
    slowestMilliseconds: percentile(pings, 1),
    ratio: percentile(pings, 0.99) / 50,
    // No request waits for a large part of the scan.
    stallShare: percentile(pings, 1) / first.milliseconds,
    atMost: { stallShare: 0.1 },
    goal: "p99 under 50 ms",
  });
  report({
    bench: "scan",
    figure: "peak memory of the server",
    megabytes: (await peakBytes(server.processId)) / 1e6,
    ratio: (await peakBytes(server.processId)) / 300e6,
    atMost: { ratio: 1 },
    goal: "under 300 MB",
  });
  const again = await scanned(() => call("POST", "/api/libraries/1/scan"));
  report({
    bench: "scan",
    figure: "the same again, unchanged",
    milliseconds: again.milliseconds,
    bareLoopMilliseconds: bare,
    ratio: again.milliseconds / bare,
    shareOfFirst: again.milliseconds / first.milliseconds,
    atMost: { shareOfFirst: 0.5 },
    message: again.state.message,
    goal: "under 1 s",
  });
  if (process.env["LONGBOX_LONG_TESTS"]) {
    writeComics(500, 2500);
    await scanned(() => call("POST", "/api/libraries/1/scan"));
    const before = await call("GET", "/api/collection/counts");
    const begun = performance.now();
    writeFileSync(join(root, "Series 7 (2019)", "Series 7 999 (2019).cbz"), comic(7, 999));
    const fresh = await scanned(() => call("POST", "/api/libraries/1/scan"));
    report({
      bench: "scan",
      figure: "one new file among 100,000, asked for",
      milliseconds: performance.now() - begun,
      ratio: (performance.now() - begun) / 5000,
      // Looking through all of them takes less than reading a fifth of them did.
      shareOfFirst: (performance.now() - begun) / first.milliseconds,
      atMost: { shareOfFirst: 1 },
      message: fresh.state.message,
      counts: before,
      peakMegabytes: (await peakBytes(server.processId)) / 1e6,
      goal: "visible within 5 s",
    });
  }
} finally {
  await rm(root, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
}
