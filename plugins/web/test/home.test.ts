import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ plugins: ["web"] });
});
afterAll(() => host[Symbol.asyncDispose]());

const usual = { order: [], hidden: [] };

it("keeps how each user arranged the home page", async () => {
  const [viewer, admin] = [host.as("viewer"), host.as("admin")];
  expect((await viewer.get("/api/home")).body).toEqual(usual);
  const mine = { order: ["reader reader-home-later", "web lb-home-added"], hidden: ["web lb-home-followed"] };
  expect((await viewer.post("/api/home", mine)).body).toEqual(mine);
  const twice = { order: [...mine.order, ...mine.order], hidden: mine.hidden };
  expect((await viewer.post("/api/home", twice)).body).toEqual(mine);
  expect((await viewer.get("/api/home")).body).toEqual(mine);
  expect((await admin.get("/api/home")).body).toEqual(usual);
});

it("refuses what is no arrangement, and users who are not signed in", async () => {
  const viewer = host.as("viewer");
  const before = (await viewer.get("/api/home")).body;
  for (const body of [
    {},
    { order: "a", hidden: [] },
    { order: [1], hidden: [] },
    { order: [""], hidden: [] },
    { order: Array.from({ length: 101 }, (_, index) => `part ${index}`), hidden: [] },
    { order: [], hidden: ["x".repeat(201)] },
  ])
    expect((await viewer.post("/api/home", body)).status).toBe(400);
  expect((await viewer.get("/api/home")).body).toEqual(before);
  expect((await host.as("anonymous").get("/api/home")).status).toBe(401);
  expect((await host.as("anonymous").post("/api/home", usual)).status).toBe(401);
});

it("forgets a user who is deleted", async () => {
  const admin = host.as("admin");
  const { id } = (await host.as("trusted").get("/api/auth/me")).body.user;
  await host.as("trusted").post("/api/home", { order: [], hidden: ["web lb-home-added"] });
  expect((await admin.delete(`/api/users/${id}`)).status).toBe(200);
  expect((await admin.get("/api/home")).body).toEqual(usual);
});
