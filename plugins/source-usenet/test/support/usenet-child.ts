// A server that downloads what is wanted by a client of Usenet, until it is killed. Prints a line once it runs.
// Arguments: the data folder, the folder of the library, the settings of the plugin as JSON, the numbers of the issues.
import { openDownloadDesk } from "../../../downloads/test/support/download-desk.ts";

const [, , dataFolder = "", root = "", settings = "{}", ...numbers] = process.argv;
const desk = await openDownloadDesk({
  dataFolder,
  root,
  storage: "sqlite",
  plugins: ["source-usenet"],
  settings: { "source-usenet": JSON.parse(settings) },
});
const issueIds = await Promise.all(numbers.map((number) => desk.issueId(number)));
await desk.host.as("admin").post("/api/download", { issueIds });
process.stdout.write("ready\n");
