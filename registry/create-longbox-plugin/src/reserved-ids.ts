/** Names of the server's own things, which an installation refuses as ids of plugins. */
export const reservedIds: ReadonlySet<string> = new Set([
  ...["api", "assets", "audit", "auth", "authors", "backup", "backup-upload", "backups", "caches", "catalog", "client"],
  ...["disk-usage", "events", "healthz", "install", "introduce", "kernel", "library", "logs", "longbox", "metrics"],
  ...["openapi", "pending", "permissions", "plugins", "publish", "restart", "roles", "server", "settings", "status"],
  ...["system", "texts", "traces", "uninstall", "users"],
]);
