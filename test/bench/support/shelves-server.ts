// A real kernel with the collection and shelves, on the durable storage, in a process of its own. Prints its address
// and keys of an admin and a viewer on stdout; ends when stdin does. Argument: the data folder.
import { startTestHost } from "@longbox/sdk/testing";

const host = await startTestHost({
  plugins: ["operations", "collection", "reading", "shelves"],
  storage: "sqlite",
  ...(process.argv[2] && { dataFolder: process.argv[2] }),
});
const [admin, viewer] = [host.as("admin").key, host.as("viewer").key];
process.stdout.write(`${JSON.stringify({ url: host.url, admin, viewer })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
