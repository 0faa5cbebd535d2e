import type { Route } from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import type { Mistake } from "./mistakes.js";

/** A route that something else of the plugin names. */
interface Named {
  readonly by: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Routes that the manifest names and the plugin does not have. A warning only: some plugins add routes once they are
 * configured. Those of other plugins are not looked for.
 */
export function missingRoutes({ id, client, publicRoutes }: Manifest, routes: readonly Route[]): Mistake[] {
  const named: Named[] = [
    ...(client?.actions ?? []).flatMap(({ id: action, call }) =>
      call === undefined ? [] : [{ by: `longbox.client.actions ("${action}")`, ...call }],
    ),
    ...(client?.badges ?? []).map(({ path }) => ({ by: "longbox.client.badges", method: "POST", path })),
    ...(client?.activity ?? []).map(({ path }) => ({ by: "longbox.client.activity", method: "GET", path })),
    ...publicRoutes.map((route) => ({ by: "longbox.publicRoutes", ...methodAndPath(route) })),
  ];
  const isOwn = ({ by, path }: Named) => by === "longbox.publicRoutes" || path.split("/")[2] === id;
  return named.filter((each) => isOwn(each) && !routes.some((route) => answers(route, each))).map(missing);
}

function methodAndPath(text: string) {
  const [method = "", path = ""] = text.split(" ");
  return { method, path };
}

function answers(route: Route, { by, method, path }: Named): boolean {
  if (by === "longbox.publicRoutes" && route.access !== "public") return false;
  if (route.method !== method) return false;
  const [own, wanted] = [route.path.split("/"), path.split("/")];
  const fits = (segment: string, at: number) =>
    segment.startsWith("{") || wanted[at]!.includes("{") || segment === wanted[at];
  return own.length === wanted.length && own.every(fits);
}

function missing({ by, method, path }: Named): Mistake {
  const which = by === "longbox.publicRoutes" ? "public route" : "route";
  const message = `The field ${by} of package.json names ${method} ${path}, and the plugin has no such ${which}.`;
  return { code: "route-missing", message, file: "package.json" };
}
