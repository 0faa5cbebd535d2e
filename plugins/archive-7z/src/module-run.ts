import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import sevenZipModule, { type SevenZipModule, type SevenZipModuleFactory } from "7z-wasm";
import { SevenZipProblem } from "./seven-zip-problem.js";

const loadSevenZip = ("default" in sevenZipModule ? sevenZipModule.default : sevenZipModule) as SevenZipModuleFactory;

/** Where the archive stands for the program. */
export const archiveName = "/archive";

/** The file, where to put what is read, at which place in it, how many bytes, and from where in the file. */
type ReadCall = [stream: unknown, buffer: Int8Array, offset: number, length: number, position: number];

/** Readies the files of the program. What it returns is called after a run that succeeded. */
export type Prepare = (module: SevenZipModule) => void | (() => void);

/** Runs 7-Zip on a file that it may only read. @returns what it printed @throws {SevenZipProblem} */
export async function runOnFile(path: string, parameters: string[], prepare?: Prepare): Promise<string> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    return await run(parameters, (module) => {
      module.FS.writeFile(archiveName, "");
      const { node } = module.FS.lookupPath(archiveName, {}) as unknown as {
        node: { usedBytes: number; stream_ops: Record<string, unknown> };
      };
      node.usedBytes = size;
      node.stream_ops = {
        ...node.stream_ops,
        read: (...[, buffer, offset, length, position]: ReadCall) =>
          position >= size ? 0 : readSync(descriptor, buffer, offset, Math.min(length, size - position), position),
      };
      return prepare?.(module);
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Runs 7-Zip once, in a module of its own. @returns what it printed @throws {SevenZipProblem} */
export async function run(parameters: string[], prepare: Prepare): Promise<string> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const module = await loadSevenZip({
    print: (line) => void printed.push(line),
    printErr: (line) => void complaints.push(line),
  });
  const finish = prepare(module);
  let code: unknown;
  try {
    code = module.callMain(parameters);
    if (code === 0 || code === undefined) finish?.();
  } catch (thrown) {
    throw new SevenZipProblem("damaged", { cause: thrown });
  }
  if (code !== 0 && code !== undefined) throw problemOf([...complaints, ...printed].join("\n"));
  return printed.join("\n");
}

function problemOf(text: string): SevenZipProblem {
  if (/encrypted|password/i.test(text)) return new SevenZipProblem("encrypted");
  if (/unsupported method/i.test(text)) return new SevenZipProblem("unsupported");
  if (/memory/i.test(text)) return new SevenZipProblem("too-large");
  return new SevenZipProblem("damaged");
}
