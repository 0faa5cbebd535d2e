// A real kernel with the collection and the reader, on the engine that is named, in a process of its own.
// Prints its address, a key of an admin and those of 50 readers on stdout; ends when stdin does. Arguments: the data
// folder, and the address of a PostgreSQL if the tables are kept there.
import { startTestHost } from "@longbox/sdk/testing";

const [dataFolder = "", postgres] = process.argv.slice(2);
const host = await startTestHost({
  plugins: ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "stats"],
  storage: postgres === undefined ? "sqlite" : { postgres },
  dataFolder,
});
const readers = await Promise.all(
  Array.from({ length: 50 }, (_, number) => host.user(`reader-${process.pid}-${number}`)),
);
const keys = readers.map(({ key }) => key);
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key, keys })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
