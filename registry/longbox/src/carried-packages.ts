import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A plugin whose tarball is in this package. */
export interface CarriedPackage {
  /** package.json of the plugin. */
  readonly manifest: { readonly name: string; readonly version: string; readonly keywords?: readonly string[] };
  /** Whether a new server starts with it. */
  readonly isDefault: boolean;
  /** The name of the tarball. */
  readonly file: string;
  /** `sha512-…` of the tarball. */
  readonly integrity: string;
}

/** The list of the carried packages, beside them. It was written when this package was made. */
export const carriedList = "packages.json";

/** @throws {Error} When this package is not complete, as in a checkout. */
export async function readCarried(folder: string): Promise<readonly CarriedPackage[]> {
  try {
    return JSON.parse(await readFile(join(folder, carriedList), "utf8")) as CarriedPackage[];
  } catch (cause) {
    throw new Error(`The plugins of the package longbox are not in ${folder}; install the package again.`, { cause });
  }
}
