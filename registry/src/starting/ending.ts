/** Calls `end` at a signal, when the program that started this one is gone, or when npm is. */
export function whenAskedToEnd(end: () => void): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
  process.on("disconnect", end);
  // npm that is killed passes no signal on; this process then has a different parent.
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 1000).unref();
}
