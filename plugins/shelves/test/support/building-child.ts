// A server that builds its index again and again until it is killed. Argument: the data folder.
import { openBrowsingDesk } from "./browsing-desk.ts";

const desk = await openBrowsingDesk({ dataFolder: process.argv[2] ?? "", storage: "sqlite" });
const admin = desk.host.as("admin");
process.stdout.write("building\n");
for (;;) {
  const { status } = await admin.post("/api/shelves/rebuild");
  if (status !== 200 && status !== 409) throw new Error(`The rebuild was answered with ${status}.`);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
