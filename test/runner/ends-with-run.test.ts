// A run that is killed leaves no PostgreSQL behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { needsPostgres } from "@longbox/test/postgres";
import { expect, it } from "vitest";

const program = `
  const { startPostgres } = await import("@longbox/test/postgres");
  console.log((await startPostgres()).url);
  setInterval(() => undefined, 1_000);`;

it("ends a PostgreSQL with the process that started it, and removes its folder", needsPostgres, async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
  const [url] = (await once(child.stdout, "data")) as [Buffer];
  const folder = new URL(String(url).trim()).searchParams.get("host") ?? "";
  expect(existsSync(folder)).toBe(true);
  child.kill("SIGKILL");
  while (existsSync(folder)) await setTimeout(20);
});
