import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";

export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly memory: string;
  readonly node: string;
  readonly commit: string;
  /** Programs that wanted a processor during the last minute. */
  readonly load: number;
}

/** What figures were measured on. Names of the machine and its folders are left out. */
export function thisMachine(root: string): Machine {
  const processors = cpus();
  return {
    system: `${type()} ${release().split("-")[0]}`,
    processor: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    node: process.version,
    commit: commitOf(root),
    load: loadavg()[0] ?? 0,
  };
}

function commitOf(root: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", ".", ":!test/bench/report") === "" ? "" : ", with changes"}`;
  } catch {
    return "unknown";
  }
}
