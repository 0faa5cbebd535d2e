import { z } from "zod";
import { token } from "../../injection.js";

const keptVersion = z.strictObject({
  version: z.string(),
  integrity: z.string(),
  /** The folder's name in the store. */
  folder: z.string(),
});

const entrySchema = z.strictObject({
  id: z.string(),
  package: z.string(),
  ...keptVersion.shape,
  enabled: z.boolean(),
  installedAt: z.string(),
  origin: z.enum(["default", "admin"]),
  /** The version that `rollback` goes back to. */
  previous: keptVersion.optional(),
  /** Versions before that one, the newest first, to which a rollback can go while they can read the data. */
  older: z.array(keptVersion).optional(),
  /** The previous version cannot read the present data: with it comes back what the data was at this time. */
  migratedAt: z.string().optional(),
  /** Data that the last rollback gave up, since the earlier version could not read it, and where it is kept. */
  setAside: z.strictObject({ at: z.string(), folder: z.string() }).optional(),
  /** The data still has to be brought to this version: it is tried on a copy first. */
  settling: z.boolean().optional(),
  /** It is to start on the data that this version left, by an admin's choice. */
  dataOf: z.string().optional(),
  /** Where an admin lets it run; decided by the manifest and the scope of the package when left out. */
  isolation: z.enum(["none", "process"]).optional(),
  /** The group whose plugins share a process, where they are isolated. */
  group: z.string().optional(),
  quarantine: z.strictObject({ reason: z.string(), at: z.string() }).optional(),
});

/** An id and the permissions that belong to a package, for as long as it is installed or its data is kept. */
const ownerSchema = z.strictObject({
  id: z.string(),
  package: z.string(),
  permissions: z.array(z.string()),
  /** Who published the version that was installed last, as the registry said. */
  publishedBy: z.string().optional(),
  /** The repository that it was built from, where that was verified. */
  builtFrom: z.string().optional(),
});

export const lockSchema = z.strictObject({
  schemaVersion: z.literal(1).default(1),
  plugins: z.array(entrySchema).default([]),
  /** Packages that an admin removed: as default plugins they do not come back by themselves. */
  removed: z.array(z.string()).default([]),
  /** Packages of removed plugins, the latest first, for another installation while the registry does not answer. */
  shelved: z.array(z.strictObject({ id: z.string(), package: z.string(), ...keptVersion.shape })).default([]),
  /** Ids of plugins whose data is being deleted; a start finishes that. */
  purging: z.array(z.string()).default([]),
  owners: z.array(ownerSchema).default([]),
});

export type KeptVersion = z.output<typeof keptVersion>;
export type ShelvedVersion = z.output<typeof lockSchema>["shelved"][number];
export type IdOwner = z.output<typeof ownerSchema>;
/** A version that is to be run, and on which data if not on the present. */
export type WantedVersion = KeptVersion & { readonly dataOf?: string };
/** Who a version comes from, and what. */
export type PackageOrigin = Pick<IdOwner, "publishedBy" | "builtFrom">;
export type LockEntry = z.output<typeof entrySchema>;
export type Lock = z.output<typeof lockSchema>;

/** The document of the desired state. A change has happened once its promise settles, and survives `kill -9`. */
export interface LockFile {
  read(): Lock;
  update(change: (lock: Lock) => Lock): Promise<Lock>;
  /** Removes the text before the last change, when nothing of it may remain. */
  forgetFormer(): Promise<void>;
}
export const LockFile = token<LockFile>("the lock file of plugins");

/** What an earlier install of a version held: a registry may not change it afterwards. */
export function knownIntegrity(lock: Lock, packageName: string, version: string): string | undefined {
  return keptOf(lock, packageName).find((kept) => kept.version === version)?.integrity;
}

/** The versions of a package that are in the store, the one in use first. */
export function keptOf(lock: Lock, packageName: string): KeptVersion[] {
  const shelved = lock.shelved.filter((known) => known.package === packageName);
  const entry = lock.plugins.find((known) => known.package === packageName);
  return [...(entry ? versionsOf(entry) : []), ...shelved].map(({ version, integrity, folder }) => ({
    version,
    integrity,
    folder,
  }));
}

/** The versions of an installed plugin that are in the store, the one in use first. */
export function versionsOf(entry: LockEntry): KeptVersion[] {
  return [entry, ...(entry.previous ? [entry.previous] : []), ...(entry.older ?? [])];
}

/** The lock with one entry put in place of the one of the same id, or added at the end. */
export function withEntry(lock: Lock, entry: LockEntry): Lock {
  const known = lock.plugins.some((other) => other.id === entry.id);
  const plugins = known
    ? lock.plugins.map((other) => (other.id === entry.id ? entry : other))
    : [...lock.plugins, entry];
  return { ...lock, plugins };
}

/** The lock with an owner added. Permissions that a package once declared stay its own. */
export function withOwner(lock: Lock, { id, package: name, permissions, publishedBy, builtFrom }: IdOwner): Lock {
  const known = lock.owners.find((owner) => owner.id === id);
  const owner = {
    id,
    package: name,
    permissions: [...new Set([...(known?.permissions ?? []), ...permissions])].sort(),
    ...(publishedBy !== undefined && { publishedBy }),
    ...(builtFrom !== undefined && { builtFrom }),
  };
  return { ...lock, owners: [...lock.owners.filter((other) => other.id !== id), owner] };
}

export function withoutEntry(lock: Lock, id: string): Lock {
  return { ...lock, plugins: lock.plugins.filter((entry) => entry.id !== id) };
}

/** A copy without one of its fields. */
export function withoutKey<T extends object, K extends keyof T>(value: T, key: K): T {
  const copy = { ...value };
  delete copy[key];
  return copy;
}
