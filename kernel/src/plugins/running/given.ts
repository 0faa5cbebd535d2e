import type { Route } from "@longbox/sdk";
import { BadPluginModule } from "./plugin-module.js";

/** Checks what a plugin gives to `context.routes`, whose types nothing has checked. @throws {BadPluginModule} */
export function checkGivenRoutes(plugin: string, routes: readonly Route[]): void {
  if (!Array.isArray(routes))
    throw new BadPluginModule(plugin, "context.routes takes a list: write context.routes([defineRoute({ … })])");
  for (const route of routes as readonly (Partial<Route> | undefined)[])
    if (typeof route?.access !== "string")
      throw new BadPluginModule(
        plugin,
        `the route ${route?.method} ${route?.path} of context.routes was not made with defineRoute, or its access is no text`,
      );
}
