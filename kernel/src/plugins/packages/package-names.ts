import { z } from "zod";

/** A package's name, or a plugin's id. */
export const packageName = z
  .string()
  .regex(/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/, "must be a plugin's id or a package's name")
  .max(214);
export const versionText = z.string().min(1).max(100);
export const integrityText = z.string().startsWith("sha512-").max(200);

/** The scope of the plugins that come with Longbox. The registry never takes packages of it from elsewhere. */
const houseScope = "@longbox/";

/** Whether a package comes with Longbox, so that what it asks for needs no consent. */
export const isHousePackage = (name: string) => name.startsWith(houseScope);

/** The official Longbox package of a plugin id. */
export const housePackage = (id: string) => `${houseScope}${id}`;
