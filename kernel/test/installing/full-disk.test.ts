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
