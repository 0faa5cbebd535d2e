import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Check } from "./check.js";
import { runProgram } from "./tool.js";

const folders = ["sdk/src", "kernel/src", "registry", "plugins", "examples", "test/src", "test/bench"];
const findingsSchema = z.object({
  diagnostics: z.array(
    z.object({
      message: z.string(),
      code: z.string(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ offset: z.number(), length: z.number(), line: z.number() }) })),
    }),
  ),
});
type Finding = z.output<typeof findingsSchema>["diagnostics"][number];

/** By path: how many functions that are too long, or take too many parameters, are still there. */
const exceptionsSchema = z.record(z.string(), z.number().int().positive());

/**
 * Functions have at most 40 lines and 3 parameters. Parameters that the container fills in do not count: a call with
 * them is written nowhere. The exceptions are counted in `test/spec/shape-exceptions.json`, by path: signatures of
 * Node, and those of the SDK's errors and of jobs, which all plugins call. A number there may fall, never rise.
 */
export const shapeCheck: Check = {
  name: "shape of functions",
  async find(root) {
    const spec = join(root, "test", "spec");
    const { output } = await runProgram(
      join(root, "node_modules", ".bin", "oxlint"),
      [
        "-c",
        join(spec, "shape.oxlintrc.json"),
        "--format",
        "json",
        "--ignore-pattern",
        "**/test/**/*.test.ts",
        ...folders,
      ],
      root,
    );
    const { diagnostics } = findingsSchema.parse(JSON.parse(output));
    const exceptions = exceptionsSchema.parse(JSON.parse(await readFile(join(spec, "shape-exceptions.json"), "utf8")));
    const counted: Finding[] = [];
    for (const finding of diagnostics) if (!(await isInjected(root, finding))) counted.push(finding);
    const byPath = Map.groupBy(counted, ({ filename }) => filename);
    const beyond = [...byPath].flatMap(([filename, found]) => {
      if (found.length <= (exceptions[filename] ?? 0)) return [];
      return found.map(({ message, labels }) => `${filename}:${labels[0]?.span.line ?? 0} ${message}`);
    });
    const stale = Object.entries(exceptions)
      .map(([path, allowed]) => ({ path, allowed, present: byPath.get(path)?.length ?? 0 }))
      .filter(({ allowed, present }) => present < allowed)
      .map(({ path, allowed, present }) => `shape-exceptions.json allows ${allowed} in ${path}, which has ${present}.`);
    return [...beyond, ...stale];
  },
};

/** Whether a constructor has too many parameters only because of those that are injected. */
async function isInjected(root: string, { code, filename, message, labels }: Finding): Promise<boolean> {
  const span = labels[0]?.span;
  if (code !== "eslint(max-params)" || span === undefined) return false;
  const source = await readFile(join(root, filename));
  const parameters = source.subarray(span.offset, span.offset + span.length).toString();
  const injected = parameters.match(/@inject(?:Optional)?\(/g)?.length ?? 0;
  return Number(/\((\d+)\)/.exec(message)?.[1]) - injected <= 3;
}
