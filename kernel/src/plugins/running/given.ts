import type { Contract, ContributionRules, ExtensionPoint, Route } from "@longbox/sdk";
import { z } from "zod";
import { askedElsewhere } from "../contracts/contribution-rules.js";
import { findAwaiting } from "../examining/awaiting-schemas.js";
import { BadPluginModule } from "./plugin-module.js";

// What a plugin gives to its context, whose types nothing has checked.

/** @throws {BadPluginModule} unless these are routes of defineRoute */
export function checkGivenRoutes(plugin: string, routes: readonly Route[]): void {
  if (!Array.isArray(routes))
    throw new BadPluginModule(plugin, "context.routes takes a list: write context.routes([defineRoute({ … })])");
  for (const route of routes as readonly (Partial<Route> | undefined)[])
    if (typeof route?.access !== "string")
      throw new BadPluginModule(
        plugin,
        `the route ${route?.method} ${route?.path} of context.routes was not made with defineRoute, or its access is not a text`,
      );
}

/** @throws {BadPluginModule} unless there is an object with methods behind the token of a contract */
export function checkGivenContract(plugin: string, token: Contract<object>, implementation: unknown): void {
  checkGivenToken(plugin, "provide", token);
  if (!isObject(implementation))
    throw new BadPluginModule(
      plugin,
      `context.provide gives ${shown(implementation)} for "${token.id}", and a contract is an object with methods`,
    );
}

/** @throws {BadPluginModule} unless there is an object behind the token of an extension point */
export function checkGivenContribution(plugin: string, point: ExtensionPoint<object>, contribution: unknown): void {
  checkGivenToken(plugin, "contribute", point);
  if (!isObject(contribution))
    throw new BadPluginModule(
      plugin,
      `context.contribute gives ${shown(contribution)} to "${point.id}", and a contribution is an object`,
    );
}

/** @throws {BadPluginModule} unless it is a token that the SDK made */
export function checkGivenToken(plugin: string, call: "provide" | "open" | "contribute", token: unknown): void {
  const { id, version } = (token ?? {}) as Partial<Contract<object>>;
  if (typeof id === "string" && typeof version === "string") return;
  const maker = call === "provide" ? "contract" : "extensionPoint";
  throw new BadPluginModule(
    plugin,
    `context.${call} takes the result of ${maker}("lamps", "1.0.0") first, and got ${shown(token)}`,
  );
}

/** @throws {BadPluginModule} unless the rules of an extension point can be followed */
export function checkGivenRules(
  plugin: string,
  point: ExtensionPoint<object>,
  rules: ContributionRules<never> | undefined,
): void {
  if (rules === undefined) return;
  const said = `context.open gives rules for "${point.id}"`;
  const unknown = isObject(rules) ? Object.keys(rules).find((name) => name !== "schema" && name !== "unique") : "";
  if (unknown !== undefined)
    throw new BadPluginModule(plugin, `${said} with the field "${unknown}"; there are schema and unique`);
  const { schema, unique } = rules as { readonly schema?: unknown; readonly unique?: unknown };
  if (schema !== undefined && !(schema instanceof z.ZodType))
    throw new BadPluginModule(plugin, `${said} whose schema is ${shown(schema)}, and no schema of zod`);
  if (schema !== undefined && !askedElsewhere.has(schema) && findAwaiting(schema) !== undefined)
    throw new BadPluginModule(plugin, `${said} whose schema has code that returns a promise`);
  if (unique !== undefined && typeof unique !== "string")
    throw new BadPluginModule(plugin, `${said} whose field unique is ${shown(unique)}, and no name of a field`);
}

/** @throws {BadPluginModule} unless it can be released */
export function checkOwned(plugin: string, thing: unknown): void {
  const canEnd =
    (isObject(thing) || typeof thing === "function") &&
    ["release", Symbol.asyncDispose, Symbol.dispose].some((name) => name in thing);
  if (canEnd) return;
  throw new BadPluginModule(
    plugin,
    `context.own takes what has a method release, [Symbol.dispose] or [Symbol.asyncDispose], and got ${shown(thing)}`,
  );
}

/** @throws {BadPluginModule} unless it can be called */
export function checkListener(plugin: string, call: string, listener: unknown): void {
  if (typeof listener === "function") return;
  throw new BadPluginModule(plugin, `context.${call} takes a function, and got ${shown(listener)}`);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
