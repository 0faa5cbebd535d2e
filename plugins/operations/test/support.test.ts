import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { definePlugin, secretSetting } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { strFromU8, unzipSync } from "fflate";
import { expect, it } from "vitest";
import { z } from "zod";
import { SupportParts } from "../src/contract.js";

const planted = {
  setting: "hunter2-in-a-setting",
  url: "hunter3-in-a-url",
  field: "hunter4-in-a-field",
  bearer: "hunter5.in.a.header",
  userinfo: "hunter6-in-userinfo",
  odd: 'hunter7 "quoted" & spaced',
};

/** A plugin that leaks as badly as it can. */
const leaky = {
  manifest: {
    id: "leaky",
    title: "Leaky",
    description: "Leaks",
    sdk: "^1.0.0",
    contributes: { supportParts: "^1.0.0" },
  },
  plugin: definePlugin({
    settings: z.object({
      apiKey: secretSetting({ title: "Key" }),
      odd: secretSetting({ title: "Odd" }),
      baseUrl: z.string().default("").meta({ title: "Address" }),
    }),
    activate(_, context) {
      context.log.warn(
        `tried the key ${planted.setting} and ${planted.odd} at https://x.example/?${new URLSearchParams({ q: planted.odd })}`,
        { tried: [planted.setting, encodeURIComponent(planted.odd)] },
      );
      context.log.error("failed", {
        cause: new Error(
          `no answer from http://me:${planted.userinfo}@x.example/?apikey=${planted.url} for ${planted.setting}`,
        ),
      });
      const read = async () => ({
        password: planted.field,
        note: `asked http://indexer.example/api?t=search&apikey=${planted.url}&q=x with Authorization: Bearer ${planted.bearer}`,
        deep: [{ address: `http://admin:${planted.userinfo}@client.example/` }],
      });
      context.contribute(SupportParts, { name: "leaks", full: true, read });
    },
  }),
};

/** A support service: takes what is posted, answers as told. */
async function startService(answer: { status: number; body: string }) {
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        received.push(Buffer.concat(chunks));
        response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.body);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("packs what is needed to understand a problem, and none of the secrets planted everywhere", async () => {
  const settings = {
    leaky: { apiKey: planted.setting, odd: planted.odd, baseUrl: `http://x.example/?token=${planted.url}` },
  };
  await using host = await startTestHost({ plugins: ["operations", leaky], settings });
  const answer = await host.as("admin").get("/api/support/package");
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.headers.get("content-disposition")).toMatch(
    /attachment; filename="?longbox-support-\d{4}-\d\d-\d\d\.zip/,
  );
  const files = unzipSync(answer.bytes);
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining([
      "version.json",
      "runtime.json",
      "plugins.json",
      "settings.json",
      "jobs.json",
      "logs.json",
      "leaks.json",
    ]),
  );
  const everything = Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join("\n");
  for (const secret of Object.values(planted)) expect(everything).not.toContain(secret);
  expect(everything).not.toMatch(/hunter[0-9]/);
  expect(strFromU8(files["logs.json"]!)).toContain("tried the key ******** and ******** at");
  expect(JSON.parse(strFromU8(files["version.json"]!))).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect((await host.as("trusted").get("/api/support/package")).status).toBe(403);
});

it("sends the package to the support service with the note, and answers its code", async () => {
  await using service = await startService({ status: 200, body: JSON.stringify({ code: "K-7", expiresInDays: 14 }) });
  await using host = await startTestHost({
    plugins: ["operations"],
    settings: { operations: { supportUrl: service.url } },
  });
  expect(await host.as("admin").post("/api/support/send", { note: "It rattles." })).toMatchObject({
    status: 200,
    body: { code: "K-7", expiresInDays: 14 },
  });
  const files = unzipSync(new Uint8Array(service.received[0]!));
  expect(JSON.parse(strFromU8(files["note.json"]!))).toEqual({ note: "It rattles." });
});

it("wraps a mobile report into a lite package for people who are no admins", async () => {
  await using service = await startService({ status: 200, body: JSON.stringify({ code: "K-8", expiresInDays: 14 }) });
  await using host = await startTestHost({
    plugins: ["operations", leaky],
    settings: { operations: { supportUrl: service.url } },
  });
  await host.as("viewer").post("/api/support/mobile", { app: "Pocket Longbox", crashes: 2 });
  await host.as("admin").post("/api/support/mobile", { app: "Pocket Longbox", crashes: 2 });
  const [lite, full] = service.received.map((bytes) => Object.keys(unzipSync(new Uint8Array(bytes))));
  expect(lite).toEqual(["version.json", "runtime.json", "plugins.json", "mobile.json"]);
  expect(full).toEqual(expect.arrayContaining(["settings.json", "leaks.json", "mobile.json"]));
});

it("says 502 when the service fails, and 409 while none is set", async () => {
  await using service = await startService({ status: 500, body: "no" });
  await using host = await startTestHost({ plugins: ["operations"] });
  expect(await host.as("admin").post("/api/support/send", {})).toMatchObject({
    status: 409,
    body: { code: "operations/no-support-service" },
  });
  await host.as("admin").post("/api/settings", { operations: { supportUrl: service.url } });
  expect(await host.as("admin").post("/api/support/send", {})).toMatchObject({
    status: 502,
    body: { code: "operations/support-service-failed" },
  });
});

it("answers 502 when there is no answer, or one without a code", async () => {
  await using chatty = await startService({ status: 200, body: "<html>Welcome</html>" });
  await using host = await startTestHost({
    plugins: ["operations"],
    settings: { operations: { supportUrl: chatty.url } },
  });
  const send = () => host.as("admin").post("/api/support/send", {});
  expect(await send()).toMatchObject({
    status: 502,
    body: { code: "operations/support-service-failed", error: expect.stringContaining("it answered 200") },
  });
  await host.as("admin").post("/api/settings", { operations: { supportUrl: "http://127.0.0.1:9/" } });
  expect(await send()).toMatchObject({
    status: 502,
    body: { code: "operations/support-service-failed", error: expect.stringContaining("could not be reached") },
  });
});

it("sends nothing that is larger than the limit, and says what to do instead", async () => {
  await using service = await startService({ status: 200, body: JSON.stringify({ code: "K-9", expiresInDays: 14 }) });
  const bulky = definePlugin({
    activate(_, context) {
      context.contribute(SupportParts, {
        name: "bulk",
        full: true,
        read: async () => randomBytes(2_000_000).toString("hex"),
      });
    },
  });
  const manifest = {
    id: "bulky",
    title: "Bulky",
    description: "Is large",
    sdk: "^1.0.0",
    contributes: { supportParts: "^1.0.0" },
  };
  await using host = await startTestHost({
    plugins: ["operations", { manifest, plugin: bulky }],
    settings: { operations: { supportUrl: service.url, supportLimitMegabytes: 1 } },
  });
  const refused = await host.as("admin").post("/api/support/send", {});
  expect(refused).toMatchObject({
    status: 413,
    body: { code: "operations/support-package-too-large", error: expect.stringContaining("supportLimitMegabytes") },
  });
  expect(service.received).toEqual([]);
  expect(await host.as("viewer").post("/api/support/mobile", { app: "Pocket Longbox" })).toMatchObject({
    status: 200,
    body: { code: "K-9" },
  });
});

it("keeps the secrets out of what is sent, and of what a mobile app reports", async () => {
  await using service = await startService({ status: 200, body: JSON.stringify({ code: "K-10", expiresInDays: 14 }) });
  await using host = await startTestHost({
    plugins: ["operations", leaky],
    settings: {
      operations: { supportUrl: service.url, supportKey: "hunter8-of-the-service" },
      leaky: { apiKey: planted.setting, odd: planted.odd },
    },
  });
  await host.as("admin").post("/api/support/mobile", {
    server: `http://me:${planted.userinfo}@x.example/`,
    password: planted.field,
    last: `GET /api/jobs?apikey=${planted.url} ${planted.setting} hunter8-of-the-service`,
    headers: { authorization: `Bearer ${planted.bearer}` },
  });
  await host.as("admin").post("/api/support/send", { note: `my key is ${planted.setting}` });
  const everything = service.received
    .flatMap((bytes) => Object.values(unzipSync(new Uint8Array(bytes))))
    .map((bytes) => strFromU8(bytes))
    .join("\n");
  expect(everything).toContain("my key is ********");
  expect(everything).not.toMatch(/hunter[0-9]/);
});
