import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
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
      labels: z.array(z.object({ span: z.object({ line: z.number() }) })),
    }),
  ),
});
/** By file name: how many functions that are too long, or take too many parameters, are still there. */
const exceptionsSchema = z.record(z.string(), z.number().int().positive());

/**
 * Functions have at most 40 lines and 3 parameters. What is older than the rule is counted in
 * `test/spec/shape-exceptions.json`, by file name; a number there may fall, never rise.
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
    return [...Map.groupBy(diagnostics, ({ filename }) => filename)].flatMap(([filename, found]) => {
      const allowed = exceptions[basename(filename)] ?? 0;
      if (found.length <= allowed) return [];
      return found.map(({ message, labels }) => `${filename}:${labels[0]?.span.line ?? 0} ${message}`);
    });
  },
};
