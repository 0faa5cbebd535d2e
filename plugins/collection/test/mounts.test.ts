import { homedir } from "node:os";
import { expect, it } from "vitest";
import { mountsOf } from "../src/libraries/mounts.js";
import { openShelf } from "./support/shelf.js";

const table = String.raw`22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:1 / / rw,relatime - ext4 /dev/vda rw
31 27 8:1 / /media/Blue\040disk rw,relatime shared:1 - exfat /dev/sda1 rw
32 27 0:44 / /mnt/comics rw,relatime - nfs4 nas:/comics rw
33 27 0:45 / /run/user/1000 rw - tmpfs tmpfs rw
34 27 0:44 /again /mnt/comics rw,relatime - nfs4 nas:/comics rw
`;

it("reads disks and shares from the table of mounts, without what the system keeps there", () => {
  expect(mountsOf(table)).toEqual(["/media/Blue disk", "/mnt/comics"]);
  expect(mountsOf("")).toEqual([]);
});

it("begins the browser of folders at the home folder and the disks, unless an admin names the places", async () => {
  await using shelf = await openShelf();
  const admin = shelf.host.as("admin");
  const { body } = await admin.get("/api/libraries/folders");
  expect(body).toMatchObject({ path: "" });
  expect(body.parent).toBeUndefined();
  const paths = body.folders.map((folder: { path: string }) => folder.path);
  expect(paths).toEqual(expect.arrayContaining([homedir(), "/"]));
  const saved = await admin.post("/api/settings", { collection: { libraryFolders: [{ path: shelf.root }] } });
  expect(saved.status).toBe(200);
  expect((await admin.get("/api/libraries/folders")).body).toMatchObject({ path: shelf.root });
});
