import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import { openShelf } from "./support/shelf.js";

describe("libraries", () => {
  it("are made of existing absolute folders, and the field that is wrong is named", async () => {
    await using shelf = await openShelf();
    const admin = shelf.host.as("admin");
    await mkdir(join(shelf.root, "comics", "inner"));
    await writeFile(join(shelf.root, "a-file"), "");
    const refused = async (rootFolder: string) =>
      (await admin.post("/api/libraries", { name: "More", type: "comic", rootFolder })).body;
    for (const rootFolder of [
      "comics",
      join(shelf.root, "nowhere"),
      join(shelf.root, "a-file"),
      join(shelf.root, "comics"),
      join(shelf.root, "comics", "inner"),
      shelf.root,
    ]) {
      expect(await refused(rootFolder)).toMatchObject({
        code: "collection/bad-input",
        details: { rootFolder: expect.any(String) },
      });
    }
    expect(
      await admin.post("/api/libraries", { name: "More", type: "ebook", rootFolder: join(shelf.root, "comics") }),
    ).toMatchObject({ status: 400, body: { details: { type: expect.stringContaining("comic, manga") } } });
  });

  it("keep their fields, and only those who manage libraries see folders", async () => {
    await using shelf = await openShelf();
    const admin = shelf.host.as("admin");
    const changed = await admin.post(`/api/libraries/${shelf.libraryId}`, {
      name: "Shelf",
      folderPattern: "{series}",
      sortOrder: 3,
      tagPlacement: "sidecar",
    });
    const row = {
      id: shelf.libraryId,
      name: "Shelf",
      type: "comic",
      folderPattern: "{series}",
      restricted: false,
      sortOrder: 3,
      tagPlacement: "sidecar",
    };
    expect(changed).toMatchObject({
      status: 200,
      body: { libraries: [{ ...row, rootFolder: join(shelf.root, "comics") }] },
    });
    const seen = await shelf.host.as("viewer").get("/api/libraries");
    expect(seen.body).toEqual({
      libraries: [row],
      types: [
        { id: "comic", label: "Comics", words: expect.objectContaining({ length: "pages" }) },
        { id: "manga", label: "Manga", words: expect.objectContaining({ length: "pages" }) },
      ],
    });
  });

  it("take their series out of sight while they are restricted", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({ number: "1" });
    await shelf.host.as("admin").post(`/api/libraries/${shelf.libraryId}`, { restricted: true });
    const viewer = shelf.host.as("viewer");
    expect((await viewer.get("/api/libraries")).body.libraries).toEqual([]);
    expect((await viewer.get("/api/collection")).body).toEqual([]);
    expect((await viewer.get(`/api/collection/${placed?.seriesId}`)).status).toBe(404);
    expect((await viewer.get(`/api/issue/-${placed?.issueId}`)).status).toBe(404);
    expect((await viewer.get("/api/collection/counts")).body).toMatchObject({ all: 0, unmatched: 0 });
    expect((await shelf.host.as("trusted").get("/api/collection")).body).toHaveLength(1);
  });

  it("take out of sight what falls back to them, and what arrives in them later", async () => {
    await using shelf = await openShelf();
    const { seriesId } = await shelf.host
      .use(Catalog)
      .addVolume(
        { cvId: 5001, title: "Moth Patrol", year: 2019, aliases: [], status: "ended", issues: [] },
        { viewer: systemViewer },
      );
    const [admin, viewer] = [shelf.host.as("admin"), shelf.host.as("viewer")];
    await mkdir(join(shelf.root, "secret"));
    const made = await admin.post("/api/libraries", {
      name: "Secret",
      type: "comic",
      rootFolder: join(shelf.root, "secret"),
      restricted: true,
    });
    expect((await viewer.get(`/api/collection/${seriesId}`)).status).toBe(200);
    await admin.post(`/api/libraries/${made.body.id}`, { sortOrder: -1 });
    expect((await viewer.get(`/api/collection/${seriesId}`)).status).toBe(404);
    await admin.post(`/api/libraries/${made.body.id}`, { sortOrder: 9 });
    expect((await viewer.get(`/api/collection/${seriesId}`)).status).toBe(200);
    const [placed] = await shelf.library.placeFiles([{ ...shelf.file({ number: "1" }), libraryId: made.body.id }]);
    expect(placed?.seriesId).toBe(seriesId);
    expect((await viewer.get(`/api/collection/${seriesId}`)).status).toBe(404);
    expect((await viewer.get("/api/collection")).body).toEqual([]);
  });

  it("leave their series behind, without a library, when they are deleted", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({ number: "1" });
    const admin = shelf.host.as("admin");
    expect(await admin.delete(`/api/libraries/${shelf.libraryId}`)).toMatchObject({
      status: 200,
      body: { removed: true, libraries: [] },
    });
    expect((await admin.get(`/api/collection/${placed?.seriesId}`)).body).toMatchObject({ libraryId: null, owned: 1 });
    expect((await admin.delete(`/api/libraries/${shelf.libraryId}`)).status).toBe(404);
  });

  it("are chosen with a browser of folders that hides files and dot folders", async () => {
    await using shelf = await openShelf();
    for (const name of ["b", "a 10", "a 2", ".hidden"]) await mkdir(join(shelf.root, name));
    await writeFile(join(shelf.root, "file"), "");
    const path = encodeURIComponent(shelf.root);
    const listed = await shelf.host.as("trusted").get(`/api/libraries/folders?path=${path}`);
    expect(listed.body.folders.map((folder: { name: string }) => folder.name)).toEqual(["a 2", "a 10", "b", "comics"]);
    expect((await shelf.host.as("viewer").get(`/api/libraries/folders?path=${path}`)).status).toBe(403);
    expect(await shelf.host.as("admin").get("/api/libraries/folders?path=relative")).toMatchObject({
      status: 400,
      body: { details: { path: expect.any(String) } },
    });
  });

  it("are refused in folders of the system and where the data of the server is, also through links", async () => {
    await using shelf = await openShelf();
    const admin = shelf.host.as("admin");
    await symlink("/etc", join(shelf.root, "harmless"));
    await symlink(shelf.host.dataFolder, join(shelf.root, "linked"));
    await mkdir(join(shelf.host.dataFolder, "comics"));
    const refused: ReadonlyArray<readonly [string, RegExp]> = [
      ["/etc", /operating system/],
      ["/proc/self", /operating system/],
      ["/", /contains/],
      [join(shelf.root, "harmless"), /operating system/],
      [shelf.host.dataFolder, /data of this server/],
      [join(shelf.host.dataFolder, "comics"), /data of this server/],
      [join(shelf.root, "linked", "comics"), /data of this server/],
      [dirname(shelf.host.dataFolder), /contains/],
    ];
    for (const [rootFolder, reason] of refused) {
      const made = await admin.post("/api/libraries", { name: "More", type: "comic", rootFolder });
      expect(made, rootFolder).toMatchObject({
        status: 400,
        body: { code: "collection/bad-input", details: { rootFolder: expect.stringMatching(reason) } },
      });
      const changed = await admin.post(`/api/libraries/${shelf.libraryId}`, { rootFolder });
      expect(changed, rootFolder).toMatchObject({ status: 400, body: { details: { rootFolder: expect.any(String) } } });
    }
    for (const path of ["/etc", "/proc", join(shelf.root, "harmless"), shelf.host.dataFolder])
      expect(
        await shelf.host.as("trusted").get(`/api/libraries/folders?path=${encodeURIComponent(path)}`),
      ).toMatchObject({
        status: 400,
        body: { details: { path: expect.any(String) } },
      });
    const top = (await admin.get("/api/libraries/folders?path=/")).body;
    expect(top.folders.map(({ path }: { path: string }) => path)).not.toContain("/etc");
  });

  it("are made only in the folders that an admin chose, once there are any", async () => {
    await using shelf = await openShelf();
    const admin = shelf.host.as("admin");
    for (const name of ["media", "media/moths", "elsewhere"]) await mkdir(join(shelf.root, name));
    await symlink(join(shelf.root, "elsewhere"), join(shelf.root, "media", "out"));
    const media = join(shelf.root, "media");
    const choose = (...paths: string[]) =>
      admin.post("/api/settings", { collection: { libraryFolders: paths.map((path) => ({ path })) } });
    expect((await choose("relative")).status).toBe(400);
    expect((await choose(media)).status).toBe(200);
    const make = (rootFolder: string) => admin.post("/api/libraries", { name: "More", type: "comic", rootFolder });
    for (const folder of [join(shelf.root, "elsewhere"), join(media, "out"), shelf.root])
      expect(await make(folder), folder).toMatchObject({
        status: 400,
        body: { details: { rootFolder: expect.stringContaining(media) } },
      });
    expect((await admin.get("/api/libraries/folders")).body).toEqual({
      path: media,
      folders: [{ name: "moths", path: join(media, "moths") }],
    });
    expect((await admin.get(`/api/libraries/folders?path=${encodeURIComponent(shelf.root)}`)).status).toBe(400);
    expect((await make(join(media, "moths"))).status).toBe(200);
  });

  it("accept the types that other plugins bring", async () => {
    const { definePlugin } = await import("@longbox/sdk");
    const { LibraryTypes } = await import("@longbox/collection/contract");
    const books = {
      manifest: {
        id: "books",
        title: "Books",
        description: "",
        sdk: "^1.0.0",
        contributes: { libraryTypes: "^1.0.0" },
      },
      plugin: definePlugin({
        activate: (_, context) => void context.contribute(LibraryTypes, { id: "ebook", label: "Books" }),
      }),
    };
    await using shelf = await openShelf({ plugins: [books] });
    const admin = shelf.host.as("admin");
    expect((await admin.post(`/api/libraries/${shelf.libraryId}`, { type: "ebook" })).body.libraries[0].type).toBe(
      "ebook",
    );
    await shelf.place({ number: "1" });
    expect((await admin.get("/api/collection?filter=ebook")).body).toHaveLength(1);
    expect((await admin.get("/api/collection/counts")).body).toMatchObject({ ebook: 1, manga: 0 });
  });
});
