import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server that was started as a program. */
export interface StartedProgram extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that was written to stdout so far. */
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a server on any free port, and waits for its line. The group is its own, so that what is left behind can be
 * seen.
 */
export async function startProgram(
  [program, ...parameters]: [string, ...string[]],
  { cwd, environment }: Surroundings,
): Promise<StartedProgram> {
  const child = spawn(program, parameters, {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...withoutNpm(), LONGBOX_PORT: "0", ...environment },
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const ended = once(child, "exit");
  const early = ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}:\n${said.join("\n")}`)));
  early.catch(() => {}); // It ends after the line as well.
  await Promise.race([once(reader, "line"), early]);
  return {
    url: (JSON.parse(lines[0] ?? "") as { listening: string }).listening,
    child,
    lines,
    ended,
    [Symbol.asyncDispose]: async () => {
      if (isGroupAlive(child)) process.kill(-(child.pid ?? 0), "SIGKILL");
    },
  };
}

/** This environment without what `npm test` added, which would hold for a program that is npm's as well. */
export function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
}

export function isGroupAlive(child: ChildProcess): boolean {
  try {
    return process.kill(-(child.pid ?? 0), 0);
  } catch {
    return false;
  }
}
