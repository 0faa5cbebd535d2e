import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { adminOf, breathe, type Actor, type World } from "./world.ts";

const atOnce = 30;

/** Puts a comic into the library and takes the oldest away, and has the library scanned: the library does not grow. */
export function scanner(world: World, library: { readonly id: number; readonly folder: string }): Actor {
  const client = adminOf(world, "scanner");
  const pathOf = (number: number) =>
    join(library.folder, "Passing Ships (2020)", `Passing Ships ${String(number).padStart(3, "0")} (2020).cbz`);
  let written = 0;
  return {
    name: "scanner",
    everyMs: 30_000,
    async turn() {
      const number = written++ % (atOnce * 2);
      await writeComic(pathOf(number), { series: "Passing Ships", number: String(number), pages: 3 });
      await rm(pathOf((number + atOnce) % (atOnce * 2)), { force: true });
      await client.post(`/api/libraries/${library.id}/scan`, {});
      for (let asked = 0; asked < 120 && !world.signal.aborted; asked++) {
        await breathe(world, 500);
        const { body } = await client.get("/api/scan-folder");
        if (body?.running === false) return;
      }
      if (!world.signal.aborted) world.tally.failed("scanner", "A scan did not end.");
    },
  };
}
