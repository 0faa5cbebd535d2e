import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { mp3File } from "./support/mp3-file.js";
import { mp4File } from "./support/mp4-file.js";

let room: ListeningRoom;
beforeAll(async () => {
  const part = (track: number) =>
    mp3File({
      seconds: 36,
      id3: { texts: { TALB: "Sixty", TPE1: "Ada Quill", TIT2: `Part ${track}`, TRCK: String(track) } },
    });
  room = await openListeningRoom({
    "night.m4b": mp4File({
      seconds: 90,
      chapters: [
        [0, "One"],
        [71, "Two"],
      ],
      tags: { "\xa9alb": "Night Bell", aART: "Ada Quill", "\xa9nrt": "Ira Bloom" },
    }),
    "Sixty/1.mp3": part(1),
    "Sixty/2.mp3": part(2),
  });
});
afterAll(() => room[Symbol.asyncDispose]());

interface Link {
  readonly rel?: string;
  readonly href: string;
  readonly type: string;
}
interface Publication {
  readonly metadata: { readonly title: string };
  readonly links: readonly Link[];
}

async function catalog(path: string): Promise<Response> {
  const headers = { Authorization: `Basic ${Buffer.from(`viewer:${room.host.as("viewer").key}`).toString("base64")}` };
  return fetch(path.startsWith("http") ? path : `${room.host.url}/api/opds${path}`, { headers });
}

async function manifestOf(title: string) {
  const { publications } = (await (await catalog("/v2/shelves/all-audiobooks")).json()) as {
    publications: Publication[];
  };
  const publication = publications.find(({ metadata }) => metadata.title === title)!;
  const { href } = publication.links.find(({ type }) => type === "application/audiobook+json")!;
  const answer = await catalog(href);
  expect(answer.headers.get("content-type")).toBe("application/audiobook+json");
  return (await answer.json()) as { metadata: object; readingOrder: Link[]; toc: object[] };
}

describe("the catalogs", () => {
  it("have a shelf of all audiobooks, in both versions, with the right types", async () => {
    const feed = await (await catalog("/shelves/all-audiobooks")).text();
    expect([...feed.matchAll(/<entry>[\s\S]*?<title>([^<]+)/g)].map(([, title]) => title).toSorted()).toEqual([
      "Night Bell",
      "Sixty",
    ]);
    expect(feed).toMatch(/rel="http:\/\/opds-spec.org\/acquisition"[^>]*type="audio\/mp4"/);
    const { publications } = (await (await catalog("/v2/shelves/all-audiobooks")).json()) as { publications: object[] };
    expect(publications).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          metadata: expect.objectContaining({
            "@type": "http://schema.org/Audiobook",
            title: "Night Bell",
            duration: 90,
            author: expect.anything(),
            narrator: expect.anything(),
          }),
        }),
      ]),
    );
  });

  it("have a manifest for each, with the files that play and the chapters in them", async () => {
    const one = await manifestOf("Night Bell");
    const several = await manifestOf("Sixty");
    const { "Night Bell": night, Sixty: sixty } = await room.books();
    const stream = (id: number, query = "") => `${room.host.url}/api/audiobooks/issue/${id}/stream${query}`;
    expect(one).toMatchObject({
      metadata: { conformsTo: "https://readium.org/webpub-manifest/profiles/audiobook", duration: 90 },
      readingOrder: [{ href: stream(night!.id), type: "audio/mp4", duration: 90.001 }],
      toc: [
        { title: "One", href: `${stream(night!.id)}#t=0` },
        { title: "Two", href: `${stream(night!.id)}#t=71` },
      ],
    });
    expect(several).toMatchObject({
      readingOrder: [
        { href: stream(sixty!.id, "?part=0"), duration: 36 },
        { href: stream(sixty!.id, "?part=1"), duration: 36 },
      ],
      toc: [{ title: "Part 1" }, { title: "Part 2", href: `${stream(sixty!.id, "?part=1")}#t=0` }],
    });
    for (const { href } of [...one.readingOrder, ...several.readingOrder]) {
      const answer = await catalog(href);
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
    }
  });
});
