import { LongboxError, systemViewer, type User, type Viewer } from "@longbox/sdk";
import { Grant } from "./grant.js";

/**
 * The user for whom a plugin asks the kernel to do something. Only viewers that come from the kernel count: those of
 * requests, of `kernel.users`, and the system's.
 *
 * @throws {LongboxError} `kernel/foreign-viewer`, or `kernel/forbidden` when the user lacks the permission now
 */
export function requirePermission(viewer: Viewer, permission: string): User {
  if (!(viewer instanceof Grant) && viewer !== systemViewer)
    throw new LongboxError(
      "forbidden",
      "kernel/foreign-viewer",
      "This viewer does not come from the kernel; use that of the request, or ask kernel.users for one.",
    );
  if (viewer.may(permission)) return viewer.user;
  throw new LongboxError("forbidden", "kernel/forbidden", `This needs the permission ${permission}.`, { permission });
}
