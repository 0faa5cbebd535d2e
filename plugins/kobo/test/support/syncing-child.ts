// Chooses everything and nothing in turn, and synchronises a Kobo each time. Prints what the Kobo keeps: its endpoint's
// path, its token and the ids of its books. Runs until it is killed. Arguments: the data folder, the folder of books.
import { openKoboDesk } from "./kobo-desk.ts";

const [, , dataFolder = "", root = ""] = process.argv;
const desk = await openKoboDesk({ dataFolder, root, storage: "sqlite", fill: async () => {} });
const kobo = await desk.kobo("viewer");
const path = new URL(kobo.endpoint).pathname;
for (let isAll = true; ; isAll = !isAll) {
  await desk.choose("viewer", ...(isAll ? ["all"] : []));
  await kobo.sync();
  process.stdout.write(`${JSON.stringify({ path, token: kobo.syncToken, books: [...kobo.books.keys()] })}\n`);
}
