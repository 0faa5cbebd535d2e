import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** One step of a system call. A call that takes a while has a `begin` and an `end`, and others may come in between. */
export interface Step {
  readonly at: "begin" | "end";
  readonly call: string;
  readonly arguments: readonly string[];
  /** What it returned, at its end; undefined at its beginning. */
  readonly result: string | undefined;
  /** Tells calls of one name apart that are under way together. */
  readonly thread: string;
}

const calls =
  "openat,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,truncate,fallocate,copy_file_range,sendfile,symlink,symlinkat";

/**
 * Runs a program under strace until it ends, writing every change of a file down with its bytes.
 * @param path - Where the trace goes
 */
export async function traceProgram(command: readonly string[], path: string): Promise<void> {
  // Everything in hexadecimal: nothing in a text can be taken for the end of it.
  const options = ["-f", "-qq", "-xx", "-y", "-s", "100000000", "-o", path, "-e", `trace=${calls}`];
  const child = spawn("strace", [...options, ...command], { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`The traced program ended with ${String(code)}.`);
}

/** Reads a trace, in the order in which things happened. */
export async function* readTrace(path: string): AsyncGenerator<Step> {
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    if (resumed) {
      yield stepOf("end", (begun.get(thread) ?? "") + resumed[1]!, thread);
      begun.delete(thread);
    } else if (rest.endsWith("<unfinished ...>")) {
      const call = rest.slice(0, -"<unfinished ...>".length);
      begun.set(thread, call);
      yield stepOf("begin", call, thread);
    } else if (/^\w+\(/.test(rest)) {
      yield { ...stepOf("end", rest, thread), at: "begin", result: undefined };
      yield stepOf("end", rest, thread);
    }
  }
}

function stepOf(at: Step["at"], text: string, thread: string): Step {
  const open = text.indexOf("(");
  // What was interrupted is padded so that the results stand below each other.
  const end = at === "end" ? /\)\s+= (-?\d+(?:<\S*)?)(?: E\w+ \(.*\))?$/.exec(text) : null;
  return {
    at,
    thread,
    call: text.slice(0, open),
    arguments: text
      .slice(open + 1, end?.index ?? text.length)
      .split(", ")
      .map((each) => each.trim()),
    result: end?.[1],
  };
}

/** The bytes of an argument in quotes. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/^"|"(\.\.\.)?$/g, "").replaceAll("\\x", ""), "hex");
}

/** The path behind a descriptor such as `23<\x2f…>`; undefined for what has none. */
export function pathOf(descriptor: string): string | undefined {
  const path = /<((?:\\x[0-9a-f]{2})+)>/.exec(descriptor)?.[1];
  return path === undefined ? undefined : bytesOf(path).toString();
}
