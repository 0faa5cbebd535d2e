// Imported before a benchmark by `compare`: prints, as its last line, the processor time of the programs that it
// started, each until it was ready and afterwards, and how many requests the benchmark sent. For Linux.
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Processor time of one program, in milliseconds, all of its processes together. */
export interface ProgramTime {
  /** How many times the benchmark started it. */
  starts: number;
  /** From its start to its first line of output: loading the modules, starting plugins. */
  startMilliseconds: number;
  /** From that line until the benchmark ended it. */
  workMilliseconds: number;
}

/** What a benchmark took. */
export interface BenchTime {
  readonly programs: Readonly<Record<string, ProgramTime>>;
  readonly requests: number;
}

/** Linux counts in hundredths of a second. */
const millisecondsOfTick = 10;
const programs: Record<string, ProgramTime> = {};
let requests = 0;

subscribe("undici:request:create", () => (requests += 1));
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once("spawn", () => follow(child));
});
process.on("exit", () => {
  const own = process.cpuUsage();
  // Some benchmarks start their server in their own process.
  programs["the benchmark itself"] = {
    starts: 1,
    startMilliseconds: 0,
    workMilliseconds: (own.user + own.system) / 1000,
  };
  process.stdout.write(`${JSON.stringify({ programs, requests } satisfies BenchTime)}\n`);
});

/** Programs say with their first line that they are ready, and are ended by a signal. */
function follow(child: ChildProcess): void {
  const name = programName(child.spawnargs);
  if (name === undefined || !child.stdout) return;
  const time = (programs[name] ??= { starts: 0, startMilliseconds: 0, workMilliseconds: 0 });
  let ready: number | undefined;
  child.stdout.once("data", () => {
    ready = processorMilliseconds(child.pid!);
    time.starts += 1;
    time.startMilliseconds += ready;
  });
  const kill = child.kill.bind(child);
  child.kill = (signal) => {
    if (ready !== undefined && child.exitCode === null)
      time.workMilliseconds += processorMilliseconds(child.pid!) - ready;
    ready = undefined;
    return kill(signal);
  };
}

/** The file that Node runs, and the word behind it, if there is one: `answering-server kernel`. */
function programName(parameters: readonly string[]): string | undefined {
  const at = parameters.findIndex((one) => /\.[jt]s$/.test(one));
  if (at < 0) return undefined;
  const role = /^[a-z]+$/.test(parameters[at + 1] ?? "") ? ` ${parameters[at + 1]}` : "";
  return basename(parameters[at]!).replace(/\.[jt]s$/, "") + role;
}

/** Of a process, of those that it has awaited, and of those that still run below it. */
function processorMilliseconds(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, "utf8");
  // Behind the name, which may hold anything: user and system time are the fields 11 and 12, those of its children
  // follow.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * millisecondsOfTick;
  const below = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8").split(" ").filter(Boolean);
  return own + below.reduce((sum, one) => sum + processorMilliseconds(Number(one)), 0);
}
