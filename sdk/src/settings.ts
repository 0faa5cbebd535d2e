import { z } from "zod";

/** The metadata of a settings field, passed to zod's `.meta()`. */
export interface SettingMeta {
  title: string;
  description?: string;
  /** Shown as `********` once set, never sent to clients, and redacted in logs and exported backups. */
  secret?: boolean;
  /** Folded away on the settings page: few people ever change it. */
  advanced?: boolean;
  /** A list of entries with ids, made by `listSetting`. */
  list?: boolean;
  /** The path of the route that tests one entry of a list, see `listSetting`. */
  test?: string;
}

/**
 * The metadata of a plugin's whole group of settings, passed to `.meta()` of its `z.object`.
 *
 * @example
 * ```ts
 * const settings = z.object({ apiKey: secretSetting({ title: "API key" }) }).meta({ task: "details", test:
 * "/api/provider/test" });
 * ```
 */
export interface SettingsGroupMeta {
  /**
   * What people want to do who look for these settings. The settings page is ordered by it: `library` keep files in
   * order, `details` describe what is owned, `reading` read, `getting` get what is missing, `people` accounts and
   * signing in, `devices` other apps, `messages` tell users, `server` the server itself.
   */
  task?: "library" | "details" | "reading" | "getting" | "people" | "devices" | "messages" | "server";
  /** The path of a `POST` route that tests the values that the form has, and answers a {@link SettingTestResult}. */
  test?: string;
}

/** The answer of a route that tests values, with status 200 also when the test fails: `message` says what is wrong. */
export const settingTestResult = z.object({
  ok: z.boolean(),
  message: z.string(),
  version: z.string().optional().meta({ description: "Of the program at the other end, where it says so" }),
});
export type SettingTestResult = z.output<typeof settingTestResult>;

/** A text setting that is kept secret; `""` means not set. */
export function secretSetting(meta: Omit<SettingMeta, "secret" | "list" | "test">) {
  return z
    .string()
    .max(10_000)
    .default("")
    .meta({ ...meta, secret: true });
}

const entryId = z.string().max(64).default("").meta({ title: "Id", readOnly: true });

/**
 * A setting that is a list of entries, such as servers or channels. A change gives the whole list: an entry without an
 * id is new and gets one from the server, an id that the list does not have is refused, and a masked secret stays that
 * of the entry with its id.
 *
 * @param entry - The fields of one entry, with titles; each needs a default, as other settings do, or must be given.
 *   `test` is the path of a `POST` route of the plugin, ending with `/test`: the settings page then shows a test button
 *   for each entry and sends the entry as the form has it, saved or not. The route puts in stored secrets with
 *   `context.settings.unmasked` and answers a `settingTestResult`.
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
  options: Omit<SettingMeta, "secret" | "list"> & { most?: number },
) {
  // Nothing checks types when a plugin is packed.
  const isObject = typeof (entry as Partial<z.ZodObject> | undefined)?.extend === "function";
  if (!isObject || typeof (options as object | undefined) !== "object")
    throw new TypeError(
      "listSetting takes the fields of one entry and a title: write listSetting(z.object({ … }), { title }). A list of texts is z.array(z.string()).default([]).meta({ title }).",
    );
  const { most = 100, ...meta } = options;
  if (meta.test !== undefined && !/^\/api\/.+\/test$/.test(meta.test))
    throw new Error(`The test of ${meta.title} needs a path such as /api/servers/test, not ${meta.test}.`);
  return z
    .array(entry.extend({ id: entryId }))
    .max(most)
    .default([])
    .meta({ ...meta, list: true });
}
