import { z } from "zod";

/** What a settings field may say of itself, by zod's `.meta()`. */
export interface SettingMeta {
  title: string;
  description?: string;
  /** Shown as `********` once set, never sent out, redacted in logs and backups that leave the house. */
  secret?: boolean;
  /** A list of entries with ids, made by `listSetting`. */
  list?: boolean;
}

/** A text setting that is kept secret; `""` means not set. */
export function secretSetting(meta: Omit<SettingMeta, "secret" | "list">) {
  return z
    .string()
    .max(10_000)
    .default("")
    .meta({ ...meta, secret: true });
}

const entryId = z.string().max(64).default("").meta({ title: "Id", readOnly: true });

/**
 * A setting that is a list of entries, such as servers or channels. A change gives the whole list: an entry without an id is
 * new and gets one from the server, an id that the list does not have is refused, and a masked secret stays that of the
 * entry with its id.
 *
 * @param entry - The fields of one entry, with titles; each needs a default, as other settings do, or must be given
 *
 * @example
 * ```ts
 * const serverEntry = z.object({
 *   url: z.url().meta({ title: "Address" }),
 *   apiKey: secretSetting({ title: "API key" }),
 * });
 * const settings = z.object({ servers: listSetting(serverEntry, { title: "Servers" }) });
 * ```
 */
export function listSetting<S extends z.ZodRawShape>(
  entry: z.ZodObject<S>,
  { most = 100, ...meta }: Omit<SettingMeta, "secret" | "list"> & { most?: number },
) {
  return z
    .array(entry.extend({ id: entryId }))
    .max(most)
    .default([])
    .meta({ ...meta, list: true });
}
