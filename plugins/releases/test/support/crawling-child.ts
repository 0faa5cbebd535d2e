// Crawls twelve weeks, or goes on with it, until it is killed. Arguments: the data folder, the settings of the
// provider.
import { openReleaseDesk } from "./release-desk.ts";

const [, , dataFolder = "", metadata = "{}"] = process.argv;
const desk = await openReleaseDesk({
  dataFolder,
  storage: "sqlite",
  volumes: [],
  settings: { metadata: JSON.parse(metadata), releases: { weeksBack: 0, weeksAhead: 11 } },
});
const jobs = (await desk.host.as("admin").get("/api/jobs")).body;
if (jobs.length === 0) {
  const { status } = await desk.host.as("admin").post("/api/releases/check", {});
  if (status >= 300) throw new Error(`The check was answered with ${status}.`);
}
process.stdout.write("crawling\n");
