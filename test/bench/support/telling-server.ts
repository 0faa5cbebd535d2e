// A real kernel with releases and notifications, on the durable storage, in a process of its own. Prints its address, a
// key of an admin and that admin's id on stdout; ends when stdin does. Arguments: the data folder, the provider's
// settings.
import { startTestHost } from "@longbox/sdk/testing";

const [, , dataFolder = "", metadata = "{}"] = process.argv;
const host = await startTestHost({
  plugins: ["operations", "collection", "metadata", "notifications", "releases"],
  storage: "sqlite",
  dataFolder,
  settings: { metadata: JSON.parse(metadata), releases: { weeksBack: 0, weeksAhead: 49 } },
});
const admin = host.as("admin");
const { id } = (await admin.get("/api/auth/me")).body.user;
process.stdout.write(`${JSON.stringify({ url: host.url, key: admin.key, id })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
