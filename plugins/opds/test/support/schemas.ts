import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

const run = promisify(execFile);
const schemas = fileURLToPath(new URL("../../../../../shared/corpus/schemas/", import.meta.url));
const jing = "/usr/bin/jing";

export const hasSchemas = existsSync(schemas);
export const hasJing = hasSchemas && existsSync(jing);

/** What the RELAX NG of OPDS 1.2 has against these documents; nothing when they are right. */
export async function relaxNgProblems(documents: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-opds-"));
  try {
    // The braces of templates are no URI: a strict schema is given a page, and a word to search for, instead.
    const paths = await Promise.all(
      documents.map(async (text, index) => {
        const path = join(folder, `${index}.xml`);
        const values = { "{pageNumber}": "0", "{maxWidth}": "800", "{searchTerms}": "moth" };
        const filled = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(name, value), text);
        await writeFile(path, filled);
        return path;
      }),
    );
    const { stdout } = await run(jing, ["-c", join(schemas, "opds1/opds-1.2-fixed.rnc"), ...paths]).catch(
      (failure: { stdout: string }) => failure,
    );
    return stdout.split("\n").filter((line) => line.includes("error"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks a document against one of the JSON schemas, by its `$id`; answers what is wrong. */
export async function jsonSchemaCheck(): Promise<(id: string, document: unknown) => string[]> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  for (const folder of ["opds2", "webpub", "webpub/extensions/encryption", "webpub/extensions/epub"]) {
    for (const name of (await readdir(join(schemas, folder))).filter((file) => file.endsWith(".json")))
      ajv.addSchema(JSON.parse(await readFile(join(schemas, folder, name), "utf8")));
  }
  // One of the schemas refers to its neighbour at a former address.
  ajv.addSchema({
    $id: "https://drafts.opds.io/schema/acquisition-object.schema.json",
    $ref: "https://specs.opds.io/schema/acquisition-object.schema.json",
  });
  return (id, document) => {
    const check = ajv.getSchema(id);
    if (!check) throw new Error(`There is no schema ${id}.`);
    return check(document)
      ? []
      : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
  };
}
