import type { MistakeCase } from "./case.js";

/** What only a package can have, since `longbox-plugin` builds the entry itself. */
export const packedCases: readonly MistakeCase[] = [
  {
    number: 29,
    title: "names a folder as its entry",
    plugin: { packageJson: { exports: "./lib" } },
    files: { "lib/index.js": "export default 1;" },
    code: "entry-missing",
    names: /"lib", which is a folder/,
  },
  ...["index.ts", "index.json"].map((file): MistakeCase => ({
    number: 31,
    title: `has the entry ${file}`,
    plugin: { packageJson: { exports: `./${file}` } },
    files: { [file]: "{}" },
    code: "not-a-module",
    names: `"${file}"`,
  })),
];
