/** A sentence for whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a call of the API failed because no active plugin answers that path. */
export function isAway(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | undefined)?.code === "kernel/no-such-path";
}
