import { describe, expect, it } from "vitest";
import { serve, volume, type Served } from "./support/server.js";
import { trouble } from "./support/provider.js";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const [hiddenId, strangeId] = [5001, 5002];

/** A restricted series that the admin has looked up in every way, and a volume that only the provider knows. */
async function serveWithHidden(): Promise<Served> {
  const served = await serve();
  for (const id of [hiddenId, strangeId]) {
    served.provider.add(volume(id, `Volume ${id}`, 2));
    served.provider.images.set(`/images/v${id}.png`, png);
    served.provider.arcs.set(id, { id, name: `Arc ${id}`, issues: [] });
  }
  const admin = served.host.as("admin");
  const { seriesId } = (await admin.post("/api/collection/add-cv", { providerId: hiddenId })).body;
  await admin.post(`/api/collection/${seriesId}/restricted`, { restricted: true });
  for (const door of doors(hiddenId)) expect([door, (await admin.get(door)).status]).toEqual([door, 200]);
  return served;
}

const doors = (id: number) => [
  `/api/cv/volume/${id}`,
  `/api/cv/volume/${id}/cover`,
  `/api/cv/search?q=${id}`,
  `/api/cv/search?q=${encodeURIComponent(`cv:${id}`)}`,
  `/api/cv/arcs?q=${id}`,
  `/api/cv/arcs/${id}`,
];

/** What a viewer can tell of an answer, the id aside. */
async function told(served: Served, door: string, id: number): Promise<unknown> {
  const { status, body, headers } = await served.host.as("viewer").get(door);
  const plain = Buffer.isBuffer(body) ? body.toString("base64") : JSON.stringify(body);
  return [status, headers.get("content-type"), plain.replaceAll(String(id), "ID")];
}

async function compare(served: Served): Promise<void> {
  const strange = doors(strangeId);
  for (const [index, door] of doors(hiddenId).entries())
    expect([door, await told(served, door, hiddenId)]).toEqual([
      door,
      await told(served, strange[index] as string, strangeId),
    ]);
}

describe("a viewer from whom a series is hidden", () => {
  it("gets the same answers about its volume as about one that was never looked up", async () => {
    await using served = await serveWithHidden();
    await compare(served);
  });

  it("gets the same refusals while the provider cannot be asked", async () => {
    await using served = await serveWithHidden();
    served.provider.always(trouble.code(104, "Out of order"));
    await compare(served);
    expect((await served.host.as("admin").get(`/api/cv/volume/${hiddenId}`)).status).toBe(200);
    expect((await served.host.as("viewer").get(`/api/cv/volume/${hiddenId}/cover`)).status).toBe(502);
  });

  it("is told by the state of the sync that it runs, and not of how many series", async () => {
    await using served = await serveWithHidden();
    const admin = served.host.as("admin");
    await admin.post("/api/cv/sync", {});
    await expect.poll(async () => (await admin.get("/api/cv")).body.finishedAt).toBeDefined();
    expect((await admin.get("/api/cv")).body).toMatchObject({ running: false, total: expect.any(Number) });
    const { running, startedAt, finishedAt, ...rest } = (await served.host.as("viewer").get("/api/cv")).body;
    expect([running, typeof startedAt, typeof finishedAt, rest]).toEqual([false, "string", "string", {}]);
  });
});
