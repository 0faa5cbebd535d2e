import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lockDataFolder } from "../../dist/storage/index.js";
import { temporaryFolder } from "./storage-folder.js";

const storage = new URL("../../dist/storage/index.js", import.meta.url).href;

describe("the data folder", () => {
  it("belongs to one process at a time, and says to which", async () => {
    await using folder = await temporaryFolder();
    const held = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow(`process ${process.pid}`);
    await held.release();
    await lockDataFolder(folder.path).release();
  });

  it("is refused while another process has it, and taken over once that was killed", async () => {
    await using folder = await temporaryFolder();
    const program = `import { lockDataFolder } from ${JSON.stringify(storage)}; lockDataFolder(process.argv[1]); console.log("held"); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ["--input-type=module", "-e", program, folder.path], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(other.stdout, "data");
    expect(() => lockDataFolder(folder.path)).toThrowError(
      expect.objectContaining({
        code: "kernel/data-folder-in-use",
        message: expect.stringContaining(`process ${other.pid}`),
      }),
    );
    other.kill("SIGKILL");
    await once(other, "close");
    await lockDataFolder(folder.path).release();
  });
});
