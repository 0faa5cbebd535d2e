import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { drawCover } from "@longbox/test/fixtures";
import { openBookRoom, type BookRoom } from "../../../books/test/support/book-room.ts";
import { epub } from "../../../books/test/support/epub.ts";
import { Kobo } from "./kobo.ts";

/** A server with books, and Kobos that synchronise with it. */
export interface KoboDesk extends AsyncDisposable {
  readonly room: BookRoom;
  readonly reading: ReadingContract;
  /** A new e-reader of a user; the user's choice of shelves stays as it is. */
  kobo(role: string, name?: string): Promise<Kobo>;
  choose(role: string, ...shelves: string[]): Promise<void>;
  viewer(role: string): Promise<Viewer>;
  /** The internal id of a book. */
  issueOf(title: string): Promise<number>;
}

export const titles = ["The Salt Road", "Low Tide", "Moth and Lamp"];

export async function openKoboDesk(options: Partial<Parameters<typeof openBookRoom>[0]> = {}): Promise<KoboDesk> {
  const room = await openBookRoom({
    fill: writeBooks,
    ...options,
    plugins: ["lists", "shelves", "kobo", ...(options.plugins ?? [])],
  });
  const { host } = room;
  return {
    room,
    reading: host.use(Reading),
    async kobo(role, name = "Clara") {
      const made = await host.as(role).post("/api/kobo/devices", { name });
      return new Kobo(host.url + made.body.path);
    },
    async choose(role, ...shelves) {
      const { status, body } = await host.as(role).post("/api/kobo/shelves", { shelves });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async viewer(role) {
      const { user } = (await host.as(role).get("/api/auth/me")).body;
      return { user, may: () => true, seesRestricted: true };
    },
    async issueOf(title) {
      const row = Object.values(await room.rows()).find((one) => one.label.full.includes(title))!;
      // Nothing has matched it with a provider.
      return -row.cvIssueId;
    },
    [Symbol.asyncDispose]: () => room[Symbol.asyncDispose](),
  };
}

export async function writeBooks(root: string): Promise<void> {
  const cover = await drawCover("The Salt Road", "1", { width: 300, height: 450, format: "jpeg" });
  const [salt = "", ...others] = titles;
  await writeFile(join(root, `${salt}.epub`), epub({ title: salt, cover, metadata: "<dc:language>de</dc:language>" }));
  for (const title of others) await writeFile(join(root, `${title}.epub`), epub({ title, author: "Ben Oar" }));
  await writeFile(join(root, "Plain.txt"), "No EPUB.\n");
}
