// Starts a server with so many plugins (first argument) that answer GET /api/p<n>, in its own process (`none`) or isolated
// (`process`, second argument). Prints its address, a key, and how long the start took; ends when stdin does.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { writePlugin } from "../../../kernel/test/plugins/support.ts";

const [count, isolation] = [Number(process.argv[2]), process.argv[3]];
const folder = await mkdtemp(path.join(tmpdir(), "longbox-isolated-bench-"));
const plugins: string[] = [];
for (let n = 0; n < count; n += 1) {
  plugins.push(path.join(folder, `p${n}`));
  await writePlugin(plugins[n]!, {
    id: `p${n}`,
    activate: `context.routes([
      defineRoute({ method: "GET", path: "/api/p${n}", summary: "Answers", handle: () => ({ greeting: "Good evening", at: 12 }) }),
      defineRoute({ method: "GET", path: "/api/p${n}/memory", summary: "Says what it takes", handle: () => process.memoryUsage.rss() }),
    ]);`,
  });
}
const begun = performance.now();
const host = await startTestHost({
  plugins,
  isolated: isolation === "process" ? plugins.map((_, n) => `p${n}`) : [],
});
const startMs = performance.now() - begun;
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("viewer").key, startMs })}\n`);
process.stdin.resume().on("end", () => {
  const ended = Promise.resolve(host[Symbol.asyncDispose]());
  void ended.then(() => rm(folder, { recursive: true, force: true })).finally(() => process.exit(0));
});
