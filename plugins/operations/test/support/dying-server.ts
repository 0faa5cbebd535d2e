// A server that the tests kill. Argument: its data folder. Prints its address and an admin's key.
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { z } from "zod";
import { Jobs, ResumableJobs, type JobControl } from "../../dist/contract.js";

/** A plugin whose jobs never end: one that gets a step further at each start, and one that does not. */
const plugin = definePlugin({
  requires: { jobs: Jobs },
  activate({ jobs }, context) {
    const walk = async (control: JobControl, step: number): Promise<void> => {
      await control.checkpoint({ step });
      control.progress(step, 100);
      await new Promise((_, reject) => control.signal.addEventListener("abort", () => reject(control.signal.reason)));
    };
    for (const [kind, pace] of [
      ["walker.stuck", 0],
      ["walker.walks", 1],
    ] as const)
      context.contribute(ResumableJobs, {
        kind,
        resume: ({ checkpoint }, control) =>
          walk(control, z.object({ step: z.number() }).parse(checkpoint).step + pace),
      });
    const start = async (kind: string) => {
      const { id } = await jobs.run(kind, kind, (control) => walk(control, 1), { input: {}, concurrency: 2 });
      return { id };
    };
    context.routes(
      ["stuck", "walks"].map((name) =>
        defineRoute({
          method: "POST",
          path: `/api/walker/${name}`,
          access: "viewer",
          summary: "Starts a job",
          handle: () => start(`walker.${name}`),
        }),
      ),
    );
  },
});
const manifest = {
  id: "walker",
  title: "Walker",
  description: "Walks",
  sdk: "^1.0.0",
  requires: { "operations.jobs": "^1.0.0" },
  contributes: { resumableJobs: "^1.0.0" },
};
const host = await startTestHost({
  plugins: ["operations", { manifest, plugin }],
  storage: "sqlite",
  dataFolder: process.argv[2]!,
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
