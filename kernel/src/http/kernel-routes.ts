import type { Route } from "@longbox/sdk";
import type { Access } from "../access/access.js";
import { authRoutes } from "./routes/auth-routes.js";
import { outsideRoutes } from "./routes/outside-routes.js";
import { profileRoutes } from "./routes/profile-routes.js";
import { roleRoutes } from "./routes/role-routes.js";
import { systemRoutes, type SystemParts } from "./routes/system-routes.js";
import { userRoutes } from "./routes/user-routes.js";

/** The kernel's own routes, as far as they are about accounts and the server itself. */
export function kernelRoutes(access: Access, system: SystemParts): Route[] {
  return [...systemRoutes(system), ...authRoutes(access), ...outsideRoutes(access), ...profileRoutes(access), ...userRoutes(access), ...roleRoutes(access)];
}
