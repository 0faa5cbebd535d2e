// A real kernel with the collection and lists, on the durable storage, in a process of its own, over a library whose
// files carry no ids of a provider. Prints its address and a key of an admin on stdout; ends when stdin does.
// Arguments: how many series it has, how many issues each of them.
import { Collection, type ReadFile } from "@longbox/collection/contract";
import { startTestHost } from "@longbox/sdk/testing";

const [series, issues] = process.argv.slice(2).map(Number) as [number, number];
const host = await startTestHost({
  plugins: ["operations", "collection", "lists"],
  storage: "sqlite",
  settings: { lists: { listsPerUser: 10_000 } },
});
for (let at = 0; at < series; at++) {
  const name = `Lantern Street ${at}`;
  const folder = `/library/${name}`;
  const files = Array.from({ length: issues }, (_, index): ReadFile => ({
    ...{ libraryId: 1, path: `${folder}/${index + 1}.cbz`, name: `${index + 1}.cbz`, sizeBytes: 1, pages: 20 },
    ...{ modifiedAt: "2026-01-01T00:00:00.000Z", valid: true, tagged: false },
    series: { name, folder, year: 1960 + (at % 60) },
    issue: { number: String(index + 1), kind: "issue" },
  }));
  await host.use(Collection).placeFiles(files);
}
process.stdout.write(`${JSON.stringify({ url: host.url, key: host.as("admin").key })}\n`);
process.stdin.resume().on("end", () => void host[Symbol.asyncDispose]().then(() => process.exit(0)));
