/**
 * What the kernel names its own things by: permissions, event domains, contracts, the first words of its routes, error
 * codes and the elements of the UI kit. A plugin of another scope with such an id would have its own beside them.
 */
export const kernelNames: ReadonlySet<string> = new Set([
  ...["library", "settings", "users", "plugins", "system", "status"],
  ...[
    "auth",
    "backup",
    "backup-upload",
    "backups",
    "caches",
    "disk-usage",
    "events",
    "metrics",
    "openapi",
    "permissions",
  ],
  ...["restart", "roles", "logs", "traces"],
  ...["api", "healthz", "assets", "kernel", "server", "longbox"],
]);

/** The words of `/api/plugins`: a plugin with such an id could not be asked for there. */
export const wordsBesidePlugins: ReadonlySet<string> = new Set([
  ...["audit", "authors", "catalog", "client", "install", "introduce"],
  ...["pending", "publish", "texts", "uninstall"],
]);
