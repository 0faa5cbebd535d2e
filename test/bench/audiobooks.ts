// A scan of 2,000 M4Bs with chapters, tags and a picture; ranges of one file and of 60 joined ones against nginx with
// the same bytes in plain files; and how soon Chromium plays a book of 30 hours whose header stands at the end, and
// seeks in it.
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { Agent, request } from "undici";
import { mp3File } from "../../plugins/audiobooks/test/support/mp3-file.ts";
import { mp4File } from "../../plugins/audiobooks/test/support/mp4-file.ts";
import { startChromium } from "../browser/support/chromium.ts";
import { startChild } from "./support/child.ts";
import { median, percentile, report, timeEach } from "./support/measure.ts";
import { startNginx } from "./support/nginx.ts";

const books = 2000;
const longSeconds = 30 * 3600;
/** A minute of sound at 128 kbit/s. */
const rangeBytes = 1024 * 1024;
const home = await mkdtemp(join(tmpdir(), "longbox-bench-audiobooks-"));
const [library, listening, plain, data] = ["library", "listening", "plain", "data"].map((name) => join(home, name)) as [
  string,
  string,
  string,
  string,
];
for (const folder of [library, listening, plain, data]) mkdirSync(folder);

function writeBooks(): void {
  const picture = Buffer.alloc(40_000, 7);
  const chapters = Array.from({ length: 20 }, (_, index) => [index * 6, `Chapter ${index + 1}`] as const);
  for (let author = 0; author < 50; author++) {
    mkdirSync(join(library, `Author ${author}`));
    for (let book = 0; book < books / 50; book++) {
      const tags = {
        "\xa9alb": `Book ${author} ${book}`,
        aART: `Author ${author}`,
        "\xa9nrt": "Ira Bloom",
        SERIES: "Tides",
      };
      const file = mp4File({ seconds: 120, chapters, nero: chapters, tags, picture });
      writeFileSync(join(library, `Author ${author}`, `Book ${book}.m4b`), file);
    }
  }
}

/** Each file is opened, and its first and last 16 kB are read. */
function bareLoop(): number {
  const begun = performance.now();
  const bytes = Buffer.alloc(16_384);
  for (const folder of readdirSync(library))
    for (const name of readdirSync(join(library, folder))) {
      const descriptor = openSync(join(library, folder, name), "r");
      const { size } = fstatSync(descriptor);
      for (const offset of [0, size - bytes.length]) readSync(descriptor, bytes, 0, bytes.length, offset);
      closeSync(descriptor);
    }
  return performance.now() - begun;
}

function writeListening(): void {
  const long = mp4File({ seconds: longSeconds, tags: { "\xa9alb": "Long" } });
  for (const folder of [listening, plain]) writeFileSync(join(folder, "Long.m4b"), long);
  mkdirSync(join(listening, "Sixty"));
  const frames = mp3File({ seconds: 600 });
  for (let part = 1; part <= 60; part++)
    writeFileSync(
      join(listening, "Sixty", `${part}.mp3`),
      mp3File({ seconds: 600, id3: { texts: { TALB: "Sixty", TRCK: `${part}` } } }),
    );
  writeFileSync(join(plain, "Sixty"), Buffer.concat(Array.from({ length: 60 }, () => frames)));
}

try {
  writeBooks();
  writeListening();
  bareLoop();
  const bare = bareLoop();
  await using server = await startChild<{ url: string; key: string }>(
    `${import.meta.dirname}/support/listening-server.ts`,
    [data],
  );
  const agent = new Agent({ connections: 1 });
  const key = { "x-api-key": server.ready.key };
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const headers = { ...key, ...(body !== undefined && { "content-type": "application/json" }) };
    const answer = await request(server.ready.url + path, {
      dispatcher: agent,
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.body.json()) as any;
  };
  const scanned = async (name: string, rootFolder: string) => {
    const before = (await call("GET", "/api/scan-folder")).startedAt;
    const begun = performance.now();
    await call("POST", "/api/libraries", { name, type: "audiobook", rootFolder });
    for (;;) {
      const state = await call("GET", "/api/scan-folder");
      if (!state.running && state.startedAt !== before) return performance.now() - begun;
      await wait(10);
    }
  };
  const milliseconds = await scanned("Many", library);
  report({
    bench: "audiobooks",
    figure: "scan of M4Bs from nothing",
    files: books,
    filesPerSecond: books / (milliseconds / 1000),
    milliseconds,
    bareLoopMilliseconds: bare,
    ratio: milliseconds / bare,
    atMost: { ratio: 200 },
    goal: "300 files a second",
  });
  await scanned("Listening", listening);
  const idOf = async (title: string) => {
    const [series] = await call("GET", `/api/collection?q=${title}`);
    const { issues } = await call("GET", `/api/collection/${series.id}`);
    return issues[0].id as number;
  };
  const streams = { "Long.m4b": await idOf("Long"), Sixty: await idOf("Sixty") };
  const streamOf = (id: number) => `${server.ready.url}/api/audiobooks/issue/${id}/stream`;
  await using nginx = await startNginx(plain);
  if (!nginx) process.stderr.write("audiobooks: there is no nginx here\n");
  for (const [name, id] of nginx ? Object.entries(streams) : []) {
    const length = Number(
      (await request(streamOf(id), { dispatcher: agent, method: "HEAD", headers: key })).headers["content-length"],
    );
    const rangeAt = (index: number) => {
      const from = (index * 7_919_111) % (length - rangeBytes);
      return { range: `bytes=${from}-${from + rangeBytes - 1}` };
    };
    const read = async (url: string, headers: Record<string, string>) => {
      const answer = await request(url, { dispatcher: agent, headers });
      if (answer.statusCode !== 206) throw new Error(`${url} answered ${answer.statusCode}`);
      for await (const _ of answer.body);
    };
    const [ours, theirs]: [number[][], number[][]] = [[], []];
    for (let round = 0; round < 16; round++) {
      const warmUp = round === 0 ? 400 : 2;
      ours.push(await timeEach(40, (index) => read(streamOf(id), { ...key, ...rangeAt(index) }), warmUp));
      theirs.push(await timeEach(40, (index) => read(`${nginx!.url}/${name}`, rangeAt(index)), warmUp));
    }
    report({
      bench: "audiobooks",
      figure: `ranges of 1 MB, ${name === "Sixty" ? "60 joined files" : "one file"}`,
      p50: median(ours.flat()),
      // Of neighbouring rounds: the speed of a shared machine drifts within a run.
      p50Ratio: median(ours.map((round, index) => median(round) / median(theirs[index]!))),
      p99Ratio: percentile(ours.flat(), 0.99) / percentile(theirs.flat(), 0.99),
      atMost: { p50Ratio: 3 },
      goal: "p50 1.5",
    });
  }
  await playing({ ours: streamOf(streams["Long.m4b"]), theirs: nginx && `${nginx.url}/Long.m4b` });
  await agent.close();

  async function playing({ ours, theirs }: { ours: string; theirs: string | undefined }): Promise<void> {
    const browser = await startChromium();
    try {
      const context = await browser.newContext({ extraHTTPHeaders: key });
      const page = await context.newPage();
      await page.goto(server.ready.url);
      const first = await firstSounds(page, ours);
      const yardstick =
        theirs === undefined
          ? undefined
          : await (async () => {
              const plainPage = await context.newPage();
              await plainPage.goto(new URL("/", theirs).href);
              return firstSounds(plainPage, theirs);
            })();
      report({
        bench: "audiobooks",
        figure: "30 hours with the header at the end: begins to play",
        milliseconds: median(first.begins),
        slowest: percentile(first.begins, 1),
        ...(yardstick && { ratio: median(first.begins) / median(yardstick.begins), atMost: { ratio: 2 } }),
        ...(!yardstick && { unbounded: "there is no nginx to compare with" }),
        goal: "500 ms",
      });
      report({
        bench: "audiobooks",
        figure: "30 hours with the header at the end: seeks",
        milliseconds: median(first.seeks),
        slowest: percentile(first.seeks, 1),
        ...(yardstick && { ratio: median(first.seeks) / median(yardstick.seeks), atMost: { ratio: 3 } }),
        ...(!yardstick && { unbounded: "there is no nginx to compare with" }),
        goal: "200 ms",
      });
    } finally {
      await browser.close();
    }
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Milliseconds from opening to sound, and from a jump to sound, in the browser. */
function firstSounds(page: Page, address: string): Promise<{ begins: number[]; seeks: number[] }> {
  return page.evaluate(
    async ({ address, longSeconds }) => {
      const [begins, seeks]: [number[], number[]] = [[], []];
      const heard = (audio: HTMLAudioElement, event: string) =>
        new Promise<void>((resolve, reject) => {
          audio.addEventListener(event, () => resolve(), { once: true });
          audio.addEventListener("error", () => reject(new Error(audio.error?.message)), { once: true });
        });
      for (let round = 0; round < 6; round++) {
        const audio = new Audio();
        // Without a listener's hand, browsers play only what is muted.
        audio.muted = true;
        const begun = performance.now();
        audio.src = `${address}?round=${round}`;
        const plays = heard(audio, "playing");
        await audio.play();
        await plays;
        begins.push(performance.now() - begun);
        for (let jump = 1; jump <= 5; jump++) {
          const from = performance.now();
          const seeked = heard(audio, "seeked");
          audio.currentTime = (longSeconds * ((jump * 37 + round * 11) % 97)) / 97;
          await seeked;
          seeks.push(performance.now() - from);
        }
        audio.removeAttribute("src");
        audio.load();
      }
      return { begins, seeks };
    },
    { address, longSeconds },
  );
}
