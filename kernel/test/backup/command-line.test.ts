import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../storage/storage-folder.js";
import { command, post, startServer } from "./program.js";

const account = { username: "ada", password: "correct horse battery" };

it("backs up a server that runs, and restores it elsewhere, where its accounts sign in", async () => {
  await using folder = await temporaryFolder();
  const [data, restored, archive] = [
    join(folder.path, "data"),
    join(folder.path, "restored"),
    join(folder.path, "backup.tar.gz"),
  ];
  {
    await using server = await startServer(data);
    expect((await post(`${server.url}/api/auth/register`, account)).ok).toBe(true);
    expect(await command(data, "backup", archive)).toMatchObject({ code: 0 });
    expect(await command(data, "backup", archive)).toMatchObject({
      code: 1,
      said: expect.stringContaining("is there already"),
    });
    expect(await command(data, "restore", archive)).toMatchObject({
      code: 1,
      said: expect.stringContaining("is not empty"),
    });
  }
  expect(await command(restored, "restore", archive)).toMatchObject({ code: 0 });
  await using server = await startServer(restored);
  expect((await post(`${server.url}/api/auth/login`, account)).status).toBe(200);
  expect((await post(`${server.url}/api/auth/login`, { ...account, password: "something else" })).status).toBe(401);
});
