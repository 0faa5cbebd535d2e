import { z } from "zod";

export const usernameSchema = z
  .string()
  .min(2, "must have at least 2 characters")
  .max(32, "must have at most 32 characters")
  .regex(/^[\p{L}\p{N}_.-]+$/u, "may hold letters, digits, _ . and -");
export const passwordSchema = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(256, "must have at most 256 characters");
export const emailSchema = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an address such as ann@example.org");
const roleName = z.string().min(1).max(64);

/** The input of a sign-in: any text, so that an invalid name or password is simply wrong. */
export const credentialsSchema = z.object({
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(1024),
});
export const registrationSchema = z.object({ username: usernameSchema, password: passwordSchema });

export const okSchema = z.object({ ok: z.literal(true) });
export const currentUserSchema = z
  .object({ id: z.number().int(), username: z.string(), role: z.string(), permissions: z.array(z.string()) })
  .meta({ id: "CurrentUser" });

export const userSchema = z
  .object({
    id: z.number().int(),
    username: z.string(),
    email: z.string().nullable(),
    role: z.string(),
    active: z.boolean(),
    createdAt: z.string(),
    lastSeenAt: z.string().nullable(),
  })
  .meta({ id: "User" });

export const newUserSchema = z.object({
  username: usernameSchema,
  password: passwordSchema,
  role: roleName.optional(),
  email: emailSchema.optional(),
});
export const userEditSchema = z.object({
  role: roleName.optional(),
  active: z.boolean().optional(),
  password: passwordSchema.optional(),
  email: emailSchema.nullable().optional(),
});

const permissionKeys = z.array(z.string().min(1).max(64)).max(500);
const newRoleName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower-case letters, digits and hyphens, at most 32");
const roleLabel = z.string().min(1).max(100);
export const newRoleSchema = z.object({
  name: newRoleName,
  label: roleLabel.optional(),
  permissions: permissionKeys.default([]),
});
export const roleEditSchema = z.object({ label: roleLabel.optional(), permissions: permissionKeys.optional() });
export const roleSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    builtin: z.boolean(),
    permissions: z.array(z.string()),
    users: z.number().int(),
  })
  .meta({ id: "Role" });
export const permissionEntrySchema = z
  .object({
    key: z.string(),
    label: z.string(),
    description: z.string(),
    tier: z.enum(["viewer", "trusted", "admin"]),
    plugin: z.string().optional(),
  })
  .meta({ id: "Permission" });
