// The program that publishes a checkout, in a process of its own: the bundler's memory goes with it.
import { publishAll } from "../publishing/publish-all.js";
import type { FromPublishing, PublishingTask } from "./publishing.js";

const { root, registry } = JSON.parse(process.argv[2] ?? "") as PublishingTask;
const tell = (message: FromPublishing) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

process.on("disconnect", () => process.exit(1));
try {
  const publications = await publishAll(root, registry, (line) => void tell({ kind: "line", line }));
  await tell({ kind: "published", publications });
} catch (error) {
  await tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
}
process.exit(0);
