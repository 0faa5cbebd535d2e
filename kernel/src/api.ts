import type { z } from "zod";
import type {
  currentUserSchema,
  permissionEntrySchema,
  roleSchema,
  userSchema,
} from "./access/accounts/account-schemas.js";
import type { meSchema, providersSchema } from "./http/kernel-routes/auth-routes.js";
import type { keySchema, profileSchema } from "./http/kernel-routes/profile-routes.js";
import type { introductionSchema } from "./plugins/consent/introduction.js";
import type { clientPartSchema } from "./plugins/client-parts.js";
import type { pluginTextsSchema } from "./plugins/plugin-texts.js";
import type { catalogRowSchema } from "./plugins/packages/catalog.js";
import type { pluginDocumentsSchema } from "./plugins/plugin-documents.js";
import type { usedSchema } from "./plugins/plugin-routes.js";
import type { pluginRowSchema } from "./plugins/rows.js";

/*
 * What the HTTP routes of the kernel answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type PluginRow = z.output<typeof pluginRowSchema>;
export type PluginDocuments = z.output<typeof pluginDocumentsSchema>;
export type PluginUse = z.output<typeof usedSchema>;
export type PluginState = PluginRow["state"];
export type CatalogRow = z.output<typeof catalogRowSchema>;
export type PluginIntroduction = z.output<typeof introductionSchema>;
export type ClientPart = z.output<typeof clientPartSchema>;
export type PluginTexts = z.output<typeof pluginTextsSchema>;
export type CurrentUser = z.output<typeof currentUserSchema>;
export type CurrentSession = z.output<typeof meSchema>;
export type SignInWays = z.output<typeof providersSchema>;
export type Profile = z.output<typeof profileSchema>;
export type ApiKeyState = z.output<typeof keySchema>;
export type UserRow = z.output<typeof userSchema>;
export type RoleRow = z.output<typeof roleSchema>;
export type PermissionRow = z.output<typeof permissionEntrySchema>;
