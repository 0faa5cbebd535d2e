import type { Manifest } from "@longbox/sdk/manifest";
import semver from "semver";
import { covers, overlap } from "../../http/routing/base-paths.js";
import { alikeSpelling } from "../../http/routing/spelling.js";
import type { Mistake } from "./mistakes.js";

/** The mistakes of a manifest whose fields have the right form, and do not mean what they say. */
export function examineDeclarations(manifest: Manifest): Mistake[] {
  const found = [
    ...unreadableRanges(manifest),
    ...declaredTwice(manifest),
    ...basePathsTwice(manifest),
    ...pagePaths(manifest),
    ...otherSites(manifest),
    ...addresses(manifest),
    ...withoutSite(manifest),
  ];
  return found.map((mistake) => ({ ...mistake, file: "package.json" }));
}

/** No version is ever in such a range, so that the plugin would wait for ever. */
function unreadableRanges(manifest: Manifest): Mistake[] {
  return (["requires", "optional", "contributes"] as const).flatMap((field) =>
    Object.entries(manifest[field])
      .filter(([, range]) => semver.validRange(range) === null)
      .map(([id, range]): Mistake => {
        const message = `The field longbox.${field} of package.json asks for "${id}" in "${range}", which is not a range of versions.`;
        return { code: "range-unreadable", message };
      }),
  );
}

/** Which of the two counts would be left to chance. */
function declaredTwice({ permissions, events, client, requires, optional }: Manifest): Mistake[] {
  const lists = {
    "longbox.permissions": permissions.map(({ key }) => key),
    "longbox.events": events.map(({ domain }) => domain),
    "longbox.client.pages": (client?.pages ?? []).map(({ path }) => alikeSpelling(path.replaceAll(/:\w+/g, ":"))),
    "longbox.client.actions": (client?.actions ?? []).map(({ id }) => id),
    "longbox.requires with longbox.optional": [...Object.keys(requires), ...Object.keys(optional)],
  };
  return Object.entries(lists).flatMap(([field, names]) =>
    [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name): Mistake => {
      return { code: "declared-twice", message: `The field ${field} of package.json declares "${name}" twice.` };
    }),
  );
}

/** They would keep their paths from other plugins, and show nothing. */
function withoutSite({ site, sitePages, siteSlots }: Manifest): Mistake[] {
  if (site !== undefined) return [];
  return Object.entries({ sitePages, siteSlots })
    .filter(([, names]) => names.length > 0)
    .map(([field]): Mistake => {
      const message = `The field longbox.${field} of package.json belongs to a site, and longbox.site names none.`;
      return { code: "site-missing", message };
    });
}

function basePathsTwice({ basePaths, client }: Manifest): Mistake[] {
  return basePaths.flatMap((path, at): Mistake[] => {
    const page = client?.pages.find((each) => covers(path, each.path));
    if (page !== undefined) {
      const message = `The field longbox.basePaths of package.json declares "${path}", which covers the page "${page.path}" of longbox.client.pages.`;
      return [{ code: "declared-twice", message }];
    }
    const before = basePaths.slice(0, at).find((other) => overlap(other, path));
    if (before === undefined) return [];
    const message = `The field longbox.basePaths of package.json declares "${path}", which overlaps with its "${before}".`;
    return [{ code: "declared-twice", message }];
  });
}

/**
 * An address does not say whose server it is. A host whose last word is a number is an address for Node and for
 * browsers.
 */
function addresses({ hosts = [] }: Manifest): Mistake[] {
  return hosts
    .filter((host) => /(?:^|\.)\d+$/.test(host))
    .map((host): Mistake => {
      const message = `The field longbox.hosts of package.json names the address "${host}": name hosts, such as api.example.org, or leave the field out where users say which server it is.`;
      return { code: "host-is-address", message };
    });
}

/** Browsers take a second slash for the beginning of another host. */
function otherSites({ client }: Manifest): Mistake[] {
  const links = {
    "longbox.client.nav": (client?.nav ?? []).map(({ path }) => path),
    "longbox.client.actions": (client?.actions ?? []).map(({ href }) => href ?? ""),
    "longbox.client.activity": (client?.activity ?? []).map(({ href }) => href),
  };
  return Object.entries(links).flatMap(([field, paths]) =>
    paths
      .filter((path) => /^\/[/\\]/.test(path))
      .map((path): Mistake => {
        const message = `The field ${field} of package.json names the path "${path}", which leads to another site.`;
        return { code: "page-path", message };
      }),
  );
}

/**
 * Parts of a client that ask for a permission in the plugin's own namespace that it does not declare, so that no user
 * could see them. Those of others are not known before they run.
 */
export function undeclaredPermissions({ id, permissions, client }: Manifest): Mistake[] {
  if (client === undefined) return [];
  const declared = new Set(permissions.map(({ key }) => key));
  const canBe = (key: string) => permissionKey.test(key) && (!key.startsWith(`${id}.`) || declared.has(key));
  const fields = ["nav", "pages", "slots", "actions", "badges", "activity"] as const;
  return fields.flatMap((field) =>
    client[field]
      .map(({ permission }) => permission)
      .filter((key) => key !== undefined && !canBe(key))
      .map((key): Mistake => {
        const why = permissionKey.test(key!)
          ? "longbox.permissions does not declare"
          : "is not a key such as library.view";
        const message = `The field longbox.client.${field} of package.json asks for the permission "${key}", which ${why}.`;
        return { code: "permission-undeclared", file: "package.json", message };
      }),
  );
}

const permissionKey = /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/;
const pagePath = /^(?:\/|(?:\/(?:[A-Za-z0-9._~-]+|:[A-Za-z]\w*))+)$/;
/** What the server answers itself, so that no page is ever shown there. */
const serverPaths = /^\/(?:api|healthz|plugins|assets)(?:\/|$)/i;

function pagePaths({ client }: Manifest): Mistake[] {
  return (client?.pages ?? []).flatMap(({ path }): Mistake[] => {
    const named = `The field longbox.client.pages of package.json names the path "${path}"`;
    if (!pagePath.test(path) || /\/\.\.?(?:\/|$)/.test(path))
      return [
        {
          code: "page-path",
          message: `${named}, which no address has: write it like /lamps/:id, without a slash at its end.`,
        },
      ];
    return serverPaths.test(path) ? [{ code: "page-path", message: `${named}, which the server answers itself.` }] : [];
  });
}
