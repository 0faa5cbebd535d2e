import type { Manifest } from "@longbox/sdk/manifest";
import { z } from "zod";

const kinds = [
  "code",
  "published-by",
  "built-from",
  "permission",
  "kernel-part",
  "credentials",
  "public-route",
  "base-path",
  "site",
  "host",
  "worker",
  "contract",
  "extension",
] as const;

/** One thing that a plugin asks for, as an administrator sees it before the installation. */
export const askSchema = z
  .object({
    kind: z.enum(kinds),
    /** What is asked for: a key, an id, a path or a host. */
    name: z.string(),
    /** What makes it another request although the name is the same, such as the tier of a permission. */
    detail: z.string().optional(),
    /** A sentence for the administrator. */
    text: z.string(),
  })
  .meta({ id: "PluginAsk" });
export type Ask = z.output<typeof askSchema>;

/** Extension points through which a plugin takes part in signing in. */
const credentialPoints: Readonly<Record<string, string>> = {
  authProviders: "Signs users in through another provider.",
  credentialProviders: "Checks the names and passwords of users who sign in.",
};

const rolesOfTier = {
  viewer: "viewers, trusted users and administrators",
  trusted: "trusted users and administrators",
  admin: "administrators",
} as const;

const codeInServer: Ask = {
  kind: "code",
  name: "server",
  text: "Its code runs inside the server with the server's rights: all of its files, its memory and its network.",
};
const codeInProcess: Ask = {
  kind: "code",
  name: "process",
  text: "Its code runs in a process of its own, without the server's rights: it reaches its own folders, and other servers through this one.",
};

/** Everything that a plugin asks for that runs in this place, the most dangerous first. */
export function asksOf(manifest: Manifest, place: "server" | "process"): Ask[] {
  return [
    place === "server" ? codeInServer : codeInProcess,
    ...asksForRights(manifest),
    ...asksForReach(manifest),
    ...asksForParts(manifest),
  ];
}

function asksForRights({ permissions, contributes }: Manifest): Ask[] {
  return [
    ...permissions.map(({ key, label, tier }): Ask => {
      const text = `Adds the permission "${label}" (${key}), which ${rolesOfTier[tier]} get.`;
      return { kind: "permission", name: key, detail: tier, text };
    }),
    ...Object.keys(contributes)
      .filter((point) => Object.hasOwn(credentialPoints, point))
      .map((point): Ask => ({ kind: "credentials", name: point, text: credentialPoints[point]! })),
  ];
}

function asksForReach({ publicRoutes, basePaths, site, hosts, workers }: Manifest): Ask[] {
  const hostAsks = hosts?.map((name): Ask => ({ kind: "host", name, text: `Sends requests to ${name}.` }));
  return [
    ...publicRoutes.map((name): Ask => ({ kind: "public-route", name, text: `Answers ${name} without an account.` })),
    ...basePaths.map((name): Ask => ({ kind: "base-path", name, text: `Answers everything below ${name}.` })),
    ...(site === undefined ? [] : [{ kind: "site", name: "/", text: "Serves the web interface." } as const]),
    ...(hostAsks ?? [{ kind: "host", name: "*", text: "May send requests to any server." } as const]),
    ...Object.keys(workers).map((name): Ask => ({ kind: "worker", name, text: `Runs a thread or process "${name}".` })),
  ];
}

function asksForParts({ requires, optional, provides, contributes }: Manifest): Ask[] {
  const used = [...new Set([...Object.keys(requires), ...Object.keys(optional)])];
  return [
    ...used.map((name): Ask => {
      if (name.startsWith("kernel."))
        return { kind: "kernel-part", name, text: `Uses the part "${name}" of the server itself.` };
      return { kind: "contract", name, detail: "uses", text: `Uses "${name}" of another plugin.` };
    }),
    ...Object.keys(provides).map((name): Ask => {
      return { kind: "contract", name, detail: "provides", text: `Provides "${name}" to other plugins.` };
    }),
    ...Object.keys(contributes)
      .filter((point) => !Object.hasOwn(credentialPoints, point))
      .map((name): Ask => ({ kind: "extension", name, text: `Adds to "${name}" of another plugin.` })),
  ];
}

/** What is asked for now and was not before. */
export function newAsks(now: readonly Ask[], before: readonly Ask[]): Ask[] {
  const known = new Set(before.map(identityOf));
  // A process of its own is less than the server's rights.
  if (known.has(identityOf(codeInServer))) known.add(identityOf(codeInProcess));
  const hosts = before.filter(({ kind }) => kind === "host").map(({ name }) => name);
  return now.filter(
    (ask) => !known.has(identityOf(ask)) && !(ask.kind === "host" && hosts.some((host) => reaches(host, ask.name))),
  );
}

/** Whether who may talk to one host, or to all of a name, may talk to another already. */
function reaches(accepted: string, host: string): boolean {
  return accepted === "*" || (accepted.startsWith("*.") && host !== "*" && host.endsWith(accepted.slice(1)));
}

const identityOf = ({ kind, name, detail }: Ask) => JSON.stringify([kind, name, detail]);
