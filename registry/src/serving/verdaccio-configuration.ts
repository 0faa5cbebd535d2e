import { join } from "node:path";

/** The one account that may publish; its password is made at the first start and never leaves the registry's folder. */
export const publisher = "longbox";

export interface VerdaccioSettings {
  readonly folder: string;
  /** The upstream registry of all packages outside `@longbox`, which are cached; without it nothing is fetched. */
  readonly upstream: string | undefined;
}

/** Verdaccio's configuration; the README explains each line. */
export function verdaccioConfiguration({ folder, upstream }: VerdaccioSettings) {
  const rights = { access: "$all", publish: publisher, unpublish: publisher };
  return {
    self_path: folder,
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    web: { enable: false },
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
    uplinks:
      upstream === undefined
        ? {}
        : {
            upstream: { url: upstream, timeout: "10s", max_fails: 2, fail_timeout: "30s", maxage: "10m", cache: true },
          },
    // Without `proxy`, our packages are never requested upstream, so a higher version there cannot replace them.
    packages: {
      "@longbox/*": rights,
      "create-longbox-plugin": rights,
      "**": upstream === undefined ? rights : { ...rights, proxy: "upstream" },
    },
    publish: { allow_offline: true },
    middlewares: {},
    max_body_size: "500mb",
    log: { type: "stdout", format: "json", level: "warn" },
  };
}
