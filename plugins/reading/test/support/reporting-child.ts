// Reports one page of each of many works, one after the other, and prints the number of each once it is acknowledged.
// Runs until it is killed. Argument: the data folder.
import { openReadingDesk, page, viewerOf } from "./reading-desk.ts";

const numbers = Array.from({ length: 2000 }, (_, index) => String(index + 1));
const desk = await openReadingDesk({ dataFolder: process.argv[2] as string, storage: "sqlite" });
const works = await desk.place("Long Run", numbers);
for (const [index, id] of works.entries()) {
  await desk.reading.report(viewerOf(7), id, { position: page((index + 1) % 19), device: "tablet" });
  process.stdout.write(`${index + 1}\n`);
}
