// What Lighthouse says of the main pages, in a browser of its own, as a visitor with a desktop computer.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { showcase } from "@longbox/test/fixtures";
import lighthouse, { desktopConfig } from "lighthouse";
import { account } from "../../browser/support/account.ts";
import { startChromium } from "../../browser/support/chromium.ts";
import { pluginsWithClients } from "../../browser/support/contributed-pages.ts";
import { startLongbox } from "../../browser/support/longbox.ts";
import { comicsFolder, seed } from "../../browser/support/seeding.ts";
import { median, report } from "../support/measure.ts";

const pages = { "sign-in": "/sign-in", home: "/", library: "/library", series: "/series/1", reader: "/read/-1" };
const least = { performance: 95, accessibility: 95, "best-practices": 100 } as const;
type Category = keyof typeof least;
/** The median of so many: others use the machine too. */
const rounds = Number(process.env["LONGBOX_BENCH_ROUNDS"] ?? 3);

const port = await freePort();
const browser = await startChromium([`--remote-debugging-port=${port}`]);
try {
  await using comics = await comicsFolder(
    showcase.map((plan) => ({ ...plan, pages: 6, size: { width: 1200, height: 1800 } })),
  );
  await using longbox = await startLongbox({}, pluginsWithClients());
  await seed(longbox.url, comics.folder, showcase.length);
  const session = await signedIn(longbox.url);
  for (const [name, path] of Object.entries(pages))
    await judge(name, longbox.url + path, name === "sign-in" ? {} : { Cookie: session });
} finally {
  await browser.close();
}

async function judge(page: string, url: string, extraHeaders: Record<string, string>): Promise<void> {
  const scores: Record<Category, number[]> = { performance: [], accessibility: [], "best-practices": [] };
  const faults = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const options = { port, extraHeaders, onlyCategories: Object.keys(least), logLevel: "error" } as const;
    const { lhr } = (await lighthouse(
      url,
      { ...options, onlyCategories: [...options.onlyCategories] },
      desktopConfig,
    ))!;
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    for (const category of Object.keys(least) as Category[]) {
      const { score, auditRefs } = lhr.categories[category]!;
      scores[category].push(Math.round((score ?? 0) * 100));
      for (const { id, weight } of auditRefs) {
        const value = lhr.audits[id]!.score;
        if (weight > 0 && value !== null && value < 0.9) faults.add(id);
      }
    }
  }
  for (const category of Object.keys(least) as Category[])
    report({
      bench: "lighthouse",
      figure: `${category} of ${page}`,
      ratio: median(scores[category]) / 100,
      yardstick: "a page without fault",
      faults: [...faults].join(" "),
      atLeast: { ratio: least[category] / 100 },
    });
}

async function signedIn(url: string): Promise<string> {
  const headers = { Origin: url, "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body: JSON.stringify(account) });
  const [cookie] = answer.headers.getSetCookie();
  if (!answer.ok || cookie === undefined) throw new Error(`Signing in answered ${answer.status}.`);
  return cookie.split(";")[0]!;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}
