// Reports positions and sets bookmarks one after the other, and prints the number of each pair once both are
// acknowledged. Runs until it is killed. Arguments: the data folder, the folder of the library.
import { openListeningRoom } from "./listening-room.ts";

const [, , dataFolder = "", root = ""] = process.argv;
const room = await openListeningRoom({}, { dataFolder, root });
const { id } = Object.values(await room.books())[0]!;
const viewer = room.host.as("viewer");
const path = `/api/audiobooks/issue/${id}`;
const before = (await viewer.get(`${path}/bookmarks`)).body.length as number;
for (let number = before + 1; ; number += 1) {
  const told = await viewer.post(`${path}/progress`, { position: number, duration: 3600, device: "Phone" });
  const set = await viewer.post(`${path}/bookmarks`, { position: number, note: `Number ${number}` });
  if (told.status !== 200 || set.status !== 200) throw new Error(`The answers were ${told.status} and ${set.status}.`);
  process.stdout.write(`${number}\n`);
}
