// A server that downloads what is wanted, until it is killed. Prints a line once it runs.
// Arguments: the data folder, the folder of the library, the releases as JSON.
import { openDownloadDesk, fakeSource, volume } from "./download-desk.ts";

const [, , dataFolder = "", root = "", releases = "[]", configuredUrl = ""] = process.argv;
const source = { ...fakeSource(), releases: JSON.parse(releases), configuredUrl };
const desk = await openDownloadDesk({ dataFolder, root, storage: "sqlite", parts: { source } });
const issueIds = await Promise.all(volume.issues.map(({ number }) => desk.issueId(number)));
const { status } = await desk.host.as("admin").post("/api/download", { issueIds });
if (status !== 200) throw new Error(`The downloads were answered with ${status}.`);
process.stdout.write("ready\n");
