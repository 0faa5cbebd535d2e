// A server that the tests kill. Argument: its data folder. Prints its address and an admin's key.
import { startTestHost } from "@longbox/sdk/testing";

const host = await startTestHost({
  plugins: ["operations", "collection", "files", "comics"],
  storage: "sqlite",
  ...(process.argv[2] && { dataFolder: process.argv[2] }),
  settings: { files: { watchFolders: false } },
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => process.exit(0));
