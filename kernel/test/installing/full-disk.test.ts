import { spawnSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { answering, Bench, install, temporaryFolder } from "../plugins/support.js";

/** Takes the room that is left, but for the last kilobyte or so. */
async function fill(file: string): Promise<void> {
  await using handle = await open(file, "w");
  for (let size = 1_000_000; size >= 1_000; size /= 10)
    for (let isFull = false; !isFull;) {
      const written = await handle.write(Buffer.alloc(size)).catch(() => undefined);
      isFull = written === undefined || written.bytesWritten < size;
    }
}

it("says that the disk is full, not that the package is broken, and installs once there is room", async (context) => {
  await using disk = await temporaryFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", disk.path]).status !== 0)
    return context.skip("this process may not mount a file system");
  try {
    await using bench = await Bench.open();
    const version = (number: string) => ({ id: "roomy", version: number, activate: answering("/api/roomy", number) });
    await bench.publish(version("1.0.0"));
    await bench.publish({ ...version("2.0.0"), files: { "data.txt": "x".repeat(100_000) } });
    await using host = await bench.host({ dataFolder: path.join(disk.path, "data") });
    await install(host, "@longbox-test/roomy", "1.0.0");
    await fill(path.join(disk.path, "ballast"));
    expect(
      await host.as("admin").post("/api/plugins/install", { name: "roomy", version: "2.0.0", accept: true }),
    ).toMatchObject({ status: 507, body: { code: "kernel/storage-full" } });
    expect((await host.as("viewer").get("/api/roomy")).body).toBe("1.0.0");
    await rm(path.join(disk.path, "ballast"));
    await install(host, "roomy", "2.0.0");
    expect((await host.as("viewer").get("/api/roomy")).body).toBe("2.0.0");
  } finally {
    spawnSync("umount", ["-l", disk.path]);
  }
});

/** Writes a hundred times a second, and counts how often it failed. @param fault - what it throws then */
const writing = (id: string, fault: string) => ({
  id,
  fields: `migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
  activate: `const database = context.storage.database();
  const ticks = context.topic("ticks");
  let failed = 0;
  ticks.subscribe(() =>
    database.insertInto("note").values({ text: "x".repeat(10_000) }).execute().catch((fault) => {
      failed += 1;
      throw ${fault};
    }),
  );
  setInterval(() => ticks.publish(), 10);
  context.routes([defineRoute({ method: "GET", path: "/api/${id}", summary: "counts", handle: async () => failed })]);`,
});

it("blames no plugin for what cannot be written, and stops one with faults of its own though that cannot be stored", async (context) => {
  await using disk = await temporaryFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", disk.path]).status !== 0)
    return context.skip("this process may not mount a file system");
  try {
    await using bench = await Bench.open();
    await bench.publish(writing("patient", "fault"));
    await bench.publish(writing("wild", 'new Error("a fault of its own")'));
    await using host = await bench.host({ dataFolder: path.join(disk.path, "data") });
    for (const id of ["patient", "wild"]) await install(host, `@longbox-test/${id}`, "1.0.0");
    await fill(path.join(disk.path, "ballast"));
    const failures = async () => (await host.as("viewer").get("/api/patient")).body as number;
    const stateOf = async (id: string) => (await host.as("admin").get(`/api/plugins/${id}`)).body.state;
    await expect.poll(failures, { timeout: 30_000 }).toBeGreaterThan(60);
    await expect.poll(() => stateOf("wild")).toBe("quarantined");
    expect(await stateOf("patient")).toBe("active");
    expect((await host.as("viewer").get("/api/wild")).status).toBe(404);
    await rm(path.join(disk.path, "ballast"));
    const failsNow = async () => {
      const before = await failures();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return (await failures()) - before;
    };
    await expect.poll(failsNow).toBe(0);
  } finally {
    spawnSync("umount", ["-l", disk.path]);
  }
});
