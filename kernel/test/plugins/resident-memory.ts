// The memory of a program that a test has started.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** The resident memory, in kilobytes, of a process and of those that it started. */
export async function residentKilobytes(parent: number): Promise<number> {
  const ps = spawn("ps", ["-e", "-o", "pid=,ppid=,rss="], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  ps.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(ps, "close");
  const rows = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([pid, ppid]) => pid === parent || ppid === parent).reduce((sum, row) => sum + row[2]!, 0);
}
