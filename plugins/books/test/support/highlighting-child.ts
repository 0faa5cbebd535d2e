// Adds highlights to a book, one after the other, and prints the id of each once it is acknowledged. Runs until it is
// killed. Arguments: the data folder, the folder of books.
import { openBookRoom } from "./book-room.ts";

const [, , dataFolder = "", root = ""] = process.argv;
const room = await openBookRoom({ fill: async () => {}, dataFolder, root, storage: "sqlite" });
const id = await room.idOf("salt.epub");
const client = room.host.as("admin");
for (let count = 1; ; count++) {
  const place = { locator: `epubcfi(/6/2!/4/${count * 2})`, fraction: (count % 100) / 100 };
  const { status, body } = await client.post(`/api/ebooks/issue/${id}/bookmarks`, { ...place, note: `Note ${count}` });
  if (status !== 200) throw new Error(`A highlight was answered with ${status}.`);
  await client.post(`/api/ebooks/issue/${id}/progress`, { ...place, mayGoBack: true });
  process.stdout.write(`${body.id} ${place.locator}\n`);
}
