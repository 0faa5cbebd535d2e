import type { Contract, PluginDefinition } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import semver from "semver";
import { satisfies } from "../contracts/satisfying.js";
import type { Mistake } from "./mistakes.js";

/** Mistakes in what a definition asks of others, against what its manifest says. */
export function examineContracts(definition: PluginDefinition, manifest: Manifest): Mistake[] {
  const asked = (["requires", "optional"] as const).flatMap((field) =>
    Object.values(definition[field]).flatMap((token) => misfittingToken(field, token, manifest[field][token.id])),
  );
  return [...asked, ...unusedContracts(definition, manifest)];
}

/**
 * The version of a token is that which the plugin was written for: one outside of the range says that the range is
 * wrong.
 */
function misfittingToken(
  field: "requires" | "optional",
  { id, kind, version }: Contract<unknown>,
  range: string | undefined,
): Mistake[] {
  const named = `The field ${field} of definePlugin names "${id}"`;
  if ((kind as string) !== "contract") {
    const message = `${named} with the token of an extension point: contributions are added with context.contribute.`;
    return [{ code: "contract-version", message }];
  }
  if (typeof version !== "string" || semver.valid(version) === null) {
    const message = `${named} in the version ${JSON.stringify(version)}, which is none: write contract("${id}", "1.0.0").`;
    return [{ code: "contract-version", message }];
  }
  // A range that cannot be read is a mistake of its own.
  if (range === undefined || semver.validRange(range) === null || satisfies(version, range)) return [];
  const message = `${named} in the version ${version}, and the field longbox.${field} of package.json asks for ${range}.`;
  return [{ code: "contract-version", message }];
}

function unusedContracts(definition: PluginDefinition, manifest: Manifest): Mistake[] {
  const asked = new Set(
    [...Object.values(definition.requires), ...Object.values(definition.optional)].map(({ id }) => id),
  );
  const named = [
    ...Object.keys(manifest.requires).map((id) => ["requires", id] as const),
    ...Object.keys(manifest.optional).map((id) => ["optional", id] as const),
  ];
  return named
    .filter(([, id]) => !asked.has(id))
    .map(([field, id]) => ({
      code: "contract-not-asked-for",
      message: `The field longbox.${field} of package.json names "${id}", which definePlugin does not ask for.`,
    }));
}
