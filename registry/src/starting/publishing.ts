import { fork } from "node:child_process";
import type { RegistryAddress } from "@longbox/plugin-cli/packing";
import type { WorkspacePublication } from "../publishing/workspaces.js";

/** What the process is called with. */
export interface PublishingTask {
  readonly root: string;
  readonly registry: RegistryAddress;
}

export type FromPublishing =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "published"; readonly publications: WorkspacePublication[] }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Publishes every public workspace of a built checkout in a process of its own, which has ended when this returns: a
 * process that takes the place of this one would not know that it has to be waited for.
 * @throws {Error} With the reason, when a default plugin could not be published, or the process ended early.
 */
export async function publishCheckout(
  task: PublishingTask,
  log: (line: string) => void,
): Promise<WorkspacePublication[]> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkspacePublication[]>();
  const ended = Promise.withResolvers<void>();
  const { root, registry } = task;
  const told: PublishingTask = { root, registry: { url: registry.url, token: registry.token } };
  const child = fork(new URL("publishing-process.js", import.meta.url), [JSON.stringify(told)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message: FromPublishing) => {
    if (message.kind === "line") log(message.line);
    else if (message.kind === "published") resolve(message.publications);
    else reject(new Error(message.reason));
  });
  child.once("error", (cause) => {
    reject(cause);
    if (child.pid === undefined) ended.resolve();
  });
  child.once("exit", (code, signal) => {
    reject(new Error(`Publishing ended early (${code ?? signal}).`));
    ended.resolve();
  });
  return promise.finally(() => ended.promise);
}
