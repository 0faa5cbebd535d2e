import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { writeLibrary, type SeriesPlan } from "@longbox/test/fixtures";
import { account } from "./account.ts";

/** A folder of comics, drawn for one test file. */
export async function comicsFolder(
  plans: readonly SeriesPlan[],
): Promise<{ readonly folder: string } & AsyncDisposable> {
  const parent = await mkdtemp(join(tmpdir(), "longbox-comics-"));
  const folder = join(parent, "comics");
  await writeLibrary(folder, plans);
  return { folder, [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }) };
}

/** Puts many small series beside the others, one comic in each, so that a scan takes long enough to be watched. */
export async function writeManySeries(folder: string, title: string, series: number): Promise<void> {
  const [first = ""] = await writeLibrary(folder, [
    { title: `${title} 0`, year: 2001, issues: ["1"], pages: 1, tagged: false },
  ]);
  const names = Array.from({ length: series - 1 }, (_, index) => `${title} ${index + 1}`);
  await Promise.all(
    names.map(async (name) => {
      const home = join(folder, `${name} (2001)`);
      await mkdir(home);
      await copyFile(first, join(home, `${name} 001 (2001).cbz`));
    }),
  );
}

/** A server whose first run is over: an account, a library, everything scanned. Answers a key of the account. */
export async function seed(url: string, folder: string, series: number): Promise<string> {
  const origin = { Origin: url, "Content-Type": "application/json" };
  const registered = await fetch(`${url}/api/auth/register`, {
    method: "POST",
    headers: origin,
    body: JSON.stringify(account),
  });
  const cookie = registered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const made = await fetch(`${url}/api/auth/apikey`, { method: "POST", headers: { ...origin, Cookie: cookie } });
  const { key } = (await made.json()) as { key: string };
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "X-Api-Key": key, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await call("/api/libraries", { name: "Comics", type: "comic", rootFolder: folder });
  await until(async () => {
    const { all } = (await call("/api/collection/counts")) as { all: number };
    const { running } = (await call("/api/scan-folder")) as { running: boolean };
    return all === series && !running;
  });
  return key;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("The library was not scanned in time.");
    await wait(100);
  }
}
