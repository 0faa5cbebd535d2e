import { KernelUsers } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ plugins: ["web"] });
});
afterAll(() => host[Symbol.asyncDispose]());

it("keeps the language that each user chose, until it is that of the browser again", async () => {
  const [viewer, admin] = [host.as("viewer"), host.as("admin")];
  expect((await viewer.get("/api/language")).body).toEqual({ language: null });
  expect((await viewer.post("/api/language", { language: "de" })).body).toEqual({ language: "de" });
  expect((await viewer.post("/api/language", { language: "en-XA" })).body).toEqual({ language: "en-XA" });
  expect((await viewer.get("/api/language")).body).toEqual({ language: "en-XA" });
  expect((await admin.get("/api/language")).body).toEqual({ language: null });
  await viewer.post("/api/language", { language: null });
  expect((await viewer.get("/api/language")).body).toEqual({ language: null });
});

it("tells the server in which language to write to a user: the chosen one, else the browser's", async () => {
  const viewer = host.as("viewer");
  const { id } = (await viewer.get("/api/auth/me")).body.user;
  const spoken = async (body: object) => {
    expect((await viewer.post("/api/language", body)).status).toBe(200);
    return (await host.use(KernelUsers).find(id))?.language;
  };
  expect(await spoken({ shown: "ar" })).toBe("ar");
  expect(await spoken({ language: "de" })).toBe("de");
  expect(await spoken({ shown: "en" })).toBe("de");
  expect((await viewer.get("/api/language")).body).toEqual({ language: "de" });
  expect(await spoken({ language: null, shown: "en" })).toBe("en");
});

it("refuses what is no language, and users who are not signed in", async () => {
  const viewer = host.as("viewer");
  for (const body of [{}, { language: "" }, { language: "German" }, { language: 1 }, { language: "de_DE" }])
    expect((await viewer.post("/api/language", body)).status).toBe(400);
  expect((await viewer.get("/api/language")).body).toEqual({ language: null });
  expect((await host.as("anonymous").get("/api/language")).status).toBe(401);
  expect((await host.as("anonymous").post("/api/language", { language: "de" })).status).toBe(401);
});

it("answers with the texts of the plugins that run and have them in a language", async () => {
  await using other = await startTestHost({ plugins: ["collection", "web"] });
  const viewer = other.as("viewer");
  const german = await viewer.get("/api/plugins/texts?language=de");
  expect(german.body).toMatchObject({ collection: { texts: { Wanted: "Gesucht", issue: "Heft" }, errors: {} } });
  expect((await viewer.get("/api/plugins/texts?language=tlh")).body).toEqual({});
  for (const language of ["", "../../package", "de/x", "x".repeat(99)])
    expect((await viewer.get(`/api/plugins/texts?language=${encodeURIComponent(language)}`)).status).toBe(400);
  expect((await other.as("anonymous").get("/api/plugins/texts?language=de")).status).toBe(401);
});
