import { spawn } from "node:child_process";

/** Ends the process at once, and removes its folder. The wait is bounded: what has no parent may stay listed. */
const clearUp = `
read -r _
kill -QUIT "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
rm -rf "$2"`;

/**
 * Ends a process when this one is killed, which has no time to do it itself: a shell waits at the other end of a pipe,
 * in a session of its own so that it outlives a group of processes that is killed.
 * @returns releases the shell, which then does nothing
 */
export function endWithParent(processId: number, folder: string): () => void {
  const watcher = spawn("sh", ["-c", clearUp, "sh", String(processId), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  // The pipe must not keep this process running.
  (watcher.stdin as unknown as { unref(): void }).unref();
  return () => void watcher.kill("SIGKILL");
}
