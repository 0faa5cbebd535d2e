import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { z } from "zod";
import { AuthorMistake } from "./author-mistake.js";

const names = z.array(z.string());
const versions = z.record(z.string(), z.string());

/**
 * A dependency that goes into the package as it is, because it cannot be bundled: WebAssembly, native code, data files.
 */
const copiedSchema = z.union([
  z.string().transform((name) => ({ name, files: undefined })),
  z.strictObject({
    name: z.string(),
    /** Files and folders of it that are needed; all of them when left out. */ files: names.optional(),
  }),
]);

const packageJsonSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  private: z.boolean().default(false),
  keywords: names.default([]),
  files: names.default([]),
  exports: z
    .union([
      z.string().transform((entry): Record<string, unknown> => ({ ".": entry })),
      z.record(z.string(), z.unknown()),
    ])
    .default({}),
  dependencies: versions.default({}),
  optionalDependencies: versions.default({}),
  peerDependencies: versions.default({}),
  longbox: z.looseObject({ id: z.string() }).optional(),
  /** Whether the plugin is installed by default. */
  longboxDefault: z.boolean().default(false),
  longboxBundle: z
    .strictObject({ copy: z.array(copiedSchema).default([]), external: names.default([]) })
    .default({ copy: [], external: [] }),
});

export type PackageJson = z.output<typeof packageJsonSchema>;
export type CopiedDependency = PackageJson["longboxBundle"]["copy"][number];

export async function readPackageJson(folder: string): Promise<PackageJson> {
  const text = await unlessMissing(readFile(join(folder, "package.json"), "utf8"));
  if (text === undefined)
    throw new AuthorMistake(
      "no-package",
      `There is no package.json in ${folder}: run the command in the folder of a plugin, or name that with --folder.`,
    );
  const parsed = packageJsonSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "package.json"}: ${message}`);
  throw new AuthorMistake("kernel/bad-manifest", `package.json cannot be used: ${problems.join("; ")}`, inPackageJson);
}

const inPackageJson = { file: "package.json" };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    const message = `package.json is not JSON: ${(failure as Error).message}`;
    throw new AuthorMistake("kernel/bad-manifest", message, inPackageJson);
  }
}

export function isPlugin(manifest: PackageJson): boolean {
  return manifest.keywords.includes("longbox-plugin");
}
