// A server that the tests kill while it places files. Argument: its data folder. Reads requests, a line of JSON each,
// and writes what became of each.
import { createInterface } from "node:readline";
import { FilesImporting, type PlaceRequest } from "@longbox/files/contract";
import { systemViewer } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";

const host = await startTestHost({
  plugins: ["operations", "collection", "files", "comics"],
  storage: "sqlite",
  ...(process.argv[2] && { dataFolder: process.argv[2] }),
  settings: { files: { watchFolders: false, scanAtStart: false } },
});
process.stdout.write("ready\n");
const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
for await (const line of lines) {
  const placed = await host.use(FilesImporting).place(JSON.parse(line) as PlaceRequest, systemViewer);
  process.stdout.write(`${JSON.stringify(placed)}\n`);
}
