// A server with a tool that kills it. Argument: its data folder. Prints its address and an admin's key once it serves.
import { definePlugin } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { Tools } from "../../src/contract.ts";

const plugin = definePlugin({
  activate(_, context) {
    context.contribute(Tools, {
      id: "fatal",
      title: "Fatal",
      description: "Kills the server",
      touchesFiles: false,
      resumes: true,
      async run() {
        process.kill(process.pid, "SIGKILL");
      },
    });
  },
});
const manifest = {
  id: "fatal",
  title: "Fatal",
  description: "Kills the server",
  sdk: "^1.0.0",
  contributes: { tools: "^1.0.0" },
};
const host = await startTestHost({
  plugins: ["operations", { manifest, plugin }],
  storage: "sqlite",
  dataFolder: process.argv[2]!,
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => process.exit(0));
