import { z } from "zod";
import type { RegistryAddress } from "@longbox/plugin-cli/packing";

const packumentSchema = z.looseObject({
  versions: z
    .record(z.string(), z.looseObject({ version: z.string(), longboxContent: z.string().optional() }))
    .default({}),
});

/** The versions of a package in a registry, with the hash of their content. */
export async function publishedVersions(
  name: string,
  { url }: RegistryAddress,
): Promise<Map<string, string | undefined>> {
  const answer = await fetch(`${url}/${encodeURIComponent(name)}`);
  if (answer.status === 404) return new Map();
  if (!answer.ok) throw new Error(`The registry answered ${answer.status} when asked for ${name}.`);
  const { versions } = packumentSchema.parse(await answer.json());
  return new Map(Object.values(versions).map(({ version, longboxContent }) => [version, longboxContent]));
}
