// A real kernel with everything that plays audiobooks, on the durable storage, in a process of its own.
// Prints its address and a key of an admin on stdout; ends when stdin does. Argument: the data folder.
import { startTestHost } from "@longbox/sdk/testing";

const host = await startTestHost({
  plugins: ["imaging", "operations", "collection", "files", "reading", "opds", "audiobooks", "web"],
  storage: "sqlite",
  ...(process.argv[2] && { dataFolder: process.argv[2] }),
});
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
