import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { startLibrary } from "../../files/test/support/library.js";

const comics = 60;

describe("writing tags as a job", () => {
  it("shows the job's state, goes on when the plugin comes back, and ends with every file tagged", async () => {
    await using library = await startLibrary({
      async fill(root) {
        for (let number = 1; number <= comics; number++)
          await writeComic(join(root, "Moth Patrol", `Moth Patrol ${number}.cbz`), {
            series: "Moth Patrol",
            number: String(number),
            pages: 1,
          });
      },
    });
    const { host } = library;
    const admin = host.as("admin");
    const [series] = (await admin.get("/api/collection")).body;
    const state = async () => (await admin.get("/api/tag-files")).body;
    expect(await state()).toEqual({ running: false, done: 0, total: 0 });
    const started = await admin.post(`/api/collection/${series.id}/tag`);
    expect(started.body).toMatchObject({ started: true, files: comics, state: { running: true } });
    const job = async () =>
      (await admin.get("/api/jobs")).body.find((one: { kind: string }) => one.kind === "comics.tag");
    const { id } = await job();
    await expect.poll(async () => (await job()).done, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    for (let times = 0; times < 4; times++) {
      await host.disable("comics");
      const interrupted = await job();
      expect(interrupted.state).not.toBe("done");
      expect(interrupted.done).toBeLessThan(comics);
      await host.enable("comics");
    }
    await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe("done");
    expect((await job()).id).toBe(id);
    expect(await state()).toMatchObject({ running: false, message: `${comics} written, 0 not` });
    // No file is to blame for that its thread was ended.
    expect(JSON.stringify((await admin.get("/api/logs?limit=1000")).body)).not.toContain("could not be tagged");
    for (let number = 1; number <= comics; number++) {
      const bytes = await readFile(join(library.root, "Moth Patrol", `Moth Patrol ${number}.cbz`));
      expect(Object.keys(unzipSync(bytes)), `${number}`).toContain("ComicInfo.xml");
    }
    expect((await host.as("viewer").get("/api/tag-files")).body).not.toHaveProperty("message");
    expect((await admin.post("/api/collection/999/tag")).status).toBe(404);
  });
});
