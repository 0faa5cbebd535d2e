// Looks up books, or goes on with it, until it is killed. Arguments: the data folder, the folder of the books, the
// settings of Open Library as JSON, and how many books there are.
import { openBooksAt } from "./book-room.ts";

const [, , dataFolder = "", root = "", settings = "{}", count = "0"] = process.argv;
const { host, place } = await openBooksAt(root, {
  dataFolder,
  storage: "sqlite",
  settings: { "open-library": JSON.parse(settings) },
});
const jobs = (await host.as("admin").get("/api/jobs")).body;
if (jobs.length === 0) {
  for (let index = 0; index < Number(count); index += 1)
    await place({ title: `Tide ${index}`, authors: ["Ada Quill"], language: "en" });
  const { status } = await host.as("admin").post("/api/open-library/sync", {});
  if (status >= 300) throw new Error(`The look-up was answered with ${status}.`);
}
process.stdout.write("looking\n");
