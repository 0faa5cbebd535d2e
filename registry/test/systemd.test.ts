import { execFile, execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";

const unit = join(import.meta.dirname, "..", "longbox", "systemd", "longbox.service");

function hasSystemd(): boolean {
  try {
    return execFileSync("systemd-analyze", ["--version"]).length > 0;
  } catch {
    return false;
  }
}

it(
  "has a unit that systemd accepts, and whose sandbox it rates well",
  {
    ...needs(hasSystemd(), "systemd-analyze is not installed"),
  },
  async () => {
    await using folder = await temporaryFolder();
    const copy = join(folder.path, "longbox.service");
    // The Node of this test stands in for the one that the unit names, which this machine may not have.
    await writeFile(
      copy,
      (await readFile(unit, "utf8")).replace("ExecStart=/usr/bin/node", `ExecStart=${process.execPath}`),
    );
    const analyze = promisify(execFile);
    const { stdout, stderr } = await analyze("systemd-analyze", ["verify", copy]);
    expect(`${stdout}${stderr}`).toBe("");
    const security = await analyze("systemd-analyze", [
      "security",
      "--offline=true",
      "--threshold=35",
      "--no-pager",
      copy,
    ]);
    expect(security.stdout).toMatch(/Overall exposure level for longbox\.service: [0-3]\.\d/);
  },
);
