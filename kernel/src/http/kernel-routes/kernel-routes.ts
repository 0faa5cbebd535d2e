import type { Route } from "@longbox/sdk";
import type { Access } from "../../access/access.js";
import { authRoutes } from "./auth-routes.js";
import { lockoutRoutes } from "./lockout-routes.js";
import { outsideRoutes } from "./outside-routes.js";
import { profileRoutes } from "./profile-routes.js";
import { roleRoutes } from "./role-routes.js";
import { systemRoutes, type SystemParts } from "./system-routes.js";
import { userRoutes } from "./user-routes.js";

/** The kernel's own routes, as far as they are about accounts and the server itself. */
export function kernelRoutes(access: Access, system: SystemParts): Route[] {
  return [
    ...systemRoutes(system),
    ...authRoutes(access),
    ...outsideRoutes(access),
    ...profileRoutes(access),
    ...userRoutes(access),
    ...lockoutRoutes(access, system.log),
    ...roleRoutes(access),
  ];
}
