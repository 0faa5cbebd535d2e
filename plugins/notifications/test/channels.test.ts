import { createECDH, createHmac, createPublicKey, createDecipheriv, hkdfSync, randomBytes, verify } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { describe, expect, it } from "vitest";
import { Receiver } from "./support/receiver.js";
import { openTellingDesk, until, type TellingDesk } from "./support/telling-desk.js";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Adds an address for a user and sends every kind of notification there. @returns its id */
async function reach(
  desk: TellingDesk,
  role: string,
  channel: string,
  fields: Record<string, string>,
): Promise<number> {
  const client = desk.host.as(role);
  const added = await client.post("/api/notifications/addresses", { channel, name: channel, fields });
  expect(added, JSON.stringify(added.body)).toMatchObject({ status: 200 });
  const { preferences } = (await client.get("/api/notifications/choices")).body;
  const chosen = { inApp: true, addresses: [added.body.id] };
  const all = { import: chosen, failure: chosen, release: chosen, request: chosen, system: chosen };
  expect((await client.post("/api/notifications/choices", { ...preferences, ...all })).status).toBe(200);
  return added.body.id;
}

const addressOf = async (desk: TellingDesk, role: string, id: number) =>
  (await desk.host.as(role).get("/api/notifications/choices")).body.addresses.find(
    (address: { id: number }) => address.id === id,
  );

async function tell(desk: TellingDesk, title: string, role = "admin"): Promise<void> {
  const url = "/series/4";
  const told = await desk.notify(
    { category: "failure", level: "error", title, body: "Choose another.", url },
    { userIds: [await desk.idOf(role)] },
  );
  expect(told).toHaveLength(1);
}

// Most of the time is waited until a message is sent again, so that the tests wait together.
describe.concurrent("a webhook", () => {
  it("is signed so that its receiver can verify it, and says where it leads", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk({
      settings: { server: { publicUrl: "https://comics.example/box/" } },
    });
    const id = await reach(desk, "admin", "webhook", { url: `${receiver.url}/hook`, secret });
    await tell(desk, "A download failed");
    await until(() => receiver.received.length === 1);
    const { headers, body } = receiver.received[0] as (typeof receiver.received)[number];
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString()}`;
    const expected = createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(300);
    expect(receiver.json()).toMatchObject({
      type: "longbox.failure",
      data: { level: "error", title: "A download failed", url: "https://comics.example/box/series/4" },
    });
    await until(async () => (await addressOf(desk, "admin", id)).answers.length === 1);
    expect(await addressOf(desk, "admin", id)).toMatchObject({
      fields: { url: "********", secret: "********" },
      answers: [{ ok: true, text: "200: fine" }],
    });
  });

  it("is repeated with the same id when its receiver fails, no sooner than that asked for", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk();
    await reach(desk, "admin", "webhook", { url: receiver.url });
    receiver.answers = [{ status: 503, headers: { "Retry-After": "2" } }, { status: 500 }, { status: 204 }];
    await tell(desk, "Again and again");
    await until(() => receiver.received.length === 3);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    const [first, second] = receiver.received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  it("is repeated after the server was stopped in between", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk({ storage: "sqlite" });
    await reach(desk, "admin", "webhook", { url: receiver.url });
    receiver.answers = [{ status: 503 }, { status: 200 }];
    await tell(desk, "Kept");
    await until(() => receiver.received.length === 1);
    await desk.host.restart();
    await until(() => receiver.received.length === 2);
    expect(receiver.json(1).data.title).toBe("Kept");
  });

  it("that is gone is switched off at once, and its user is told", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk();
    const id = await reach(desk, "admin", "webhook", { url: receiver.url });
    receiver.answers = [{ status: 410 }];
    await tell(desk, "First");
    await until(async () => (await desk.titles("admin")).includes("webhook was disabled"));
    expect(await addressOf(desk, "admin", id)).toMatchObject({
      enabled: false,
      trouble: expect.stringContaining("410"),
    });
    await tell(desk, "Second");
    receiver.answers = [{ status: 200 }];
    await desk.host.as("admin").patch(`/api/notifications/addresses/${id}`, { enabled: true });
    await tell(desk, "Third");
    await until(() => receiver.received.length === 2);
    expect(receiver.json(1).data.title).toBe("Third");
  });

  it("of a user who does not keep the server reaches public addresses only", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk();
    const id = await reach(desk, "viewer", "webhook", { url: receiver.url });
    const tried = await desk.host.as("viewer").post(`/api/notifications/addresses/${id}/try`);
    expect(tried).toMatchObject({
      status: 200,
      body: { ok: false, message: expect.stringContaining("inside this network") },
    });
    expect(receiver.received).toEqual([]);
    receiver.answers = [{ status: 302, headers: { Location: `${receiver.url}/elsewhere` } }];
    const own = await reach(desk, "admin", "webhook", { url: receiver.url });
    expect((await desk.host.as("admin").post(`/api/notifications/addresses/${own}/try`)).body.ok).toBe(false);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/"]);
  });

  it("says nothing of a series that became restricted meanwhile", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk({
      settings: { notifications: { retrySeconds: 2 } },
    });
    const series = await desk.place("Open Street", ["1"]);
    // A keeper of settings who may not see restricted things, so that the receiver on this machine can be reached.
    await desk.host.as("admin").post("/api/roles", {
      name: "keeper",
      label: "Keeper",
      permissions: ["library.view", "settings.manage"],
    });
    await reach(desk, "keeper", "webhook", { url: receiver.url });
    receiver.answers = [{ status: 503 }, { status: 503 }, { status: 200 }];
    const isRestricted = Promise.withResolvers<void>();
    receiver.pause = isRestricted.promise;
    await desk.notify(
      { category: "release", title: "Open Street #2", seriesIds: [series] },
      { userIds: [await desk.idOf("keeper")] },
    );
    await until(() => receiver.received.length === 1);
    await desk.host.as("admin").post(`/api/collection/${series}/restricted`, { restricted: true });
    isRestricted.resolve();
    await desk.notify({ category: "system", title: "Afterwards" }, { userIds: [await desk.idOf("keeper")] });
    // It is refused once as well, and tried again after what was refused before it would have been.
    const titles = () => receiver.received.map((_, index) => receiver.json(index).data.title);
    await until(() => titles().filter((title) => title === "Afterwards").length === 2);
    expect(titles().filter((title) => title === "Open Street #2")).toHaveLength(1);
  });
});

describe.concurrent("addresses", () => {
  it("belong to one user, who alone can change, try and remove them", async () => {
    await using desk = await openTellingDesk();
    const id = await reach(desk, "trusted", "webhook", { url: "https://hooks.example/1" });
    const viewer = desk.host.as("viewer");
    const path = `/api/notifications/addresses/${id}`;
    for (const answer of [
      await viewer.patch(path, { enabled: false }),
      await viewer.post(`${path}/try`),
      await viewer.delete(path),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "notifications/address-not-found" } });
    const { preferences } = (await viewer.get("/api/notifications/choices")).body;
    const stolen = { ...preferences, system: { inApp: true, addresses: [id] } };
    expect(await viewer.post("/api/notifications/choices", stolen)).toMatchObject({
      status: 400,
      body: { details: { "system.addresses": expect.any(String) } },
    });
    expect((await desk.host.as("trusted").delete(path)).body).toEqual({ removed: true });
  });

  it.each([
    ["webhook", { url: "file:///etc/passwd" }, "url"],
    ["webhook", { url: "" }, "url"],
    ["webhook", { url: "https://hooks.example", secret: "short" }, "secret"],
    ["webhook", { url: "https://hooks.example", what: "?" }, "what"],
    ["ntfy", { server: "https://ntfy.example", topic: "a/b" }, "topic"],
    ["email", { address: "a@b\r\nBcc: c@d" }, "address"],
    ["web-push", { endpoint: "https://push.example", p256dh: "AAAA", auth: "AAAA" }, "p256dh"],
    ["pigeon", {}, "channel"],
  ])("of %s with %j are refused by the name of the field", async (channel, fields, field) => {
    await using desk = await openTellingDesk();
    expect(
      await desk.host.as("viewer").post("/api/notifications/addresses", { channel, name: "x", fields }),
    ).toMatchObject({ status: 400, body: { details: { [field]: expect.any(String) } } });
  });

  it("are bounded, and so is trying them", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk();
    const admin = desk.host.as("admin");
    const add = (index: number) =>
      admin.post("/api/notifications/addresses", {
        channel: "webhook",
        name: `Hook ${index}`,
        fields: { url: `${receiver.url}/${index}` },
      });
    const first = await add(0);
    for (let index = 1; index < 20; index++) expect((await add(index)).status).toBe(200);
    expect(await add(20)).toMatchObject({ status: 409, body: { code: "notifications/too-many-addresses" } });
    // The same once more is the one that is there.
    expect((await add(0)).body.id).toBe(first.body.id);
    for (let index = 0; index < 5; index++)
      expect((await admin.post(`/api/notifications/addresses/${first.body.id}/try`)).body.ok).toBe(true);
    expect((await admin.post(`/api/notifications/addresses/${first.body.id}/try`)).status).toBe(409);
  });
});

describe.concurrent("the channels", () => {
  it("speak to ntfy, Gotify, Discord and Apprise as these demand", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk({ settings: { server: { publicUrl: "https://box.example" } } });
    const all: ReadonlyArray<readonly [string, Record<string, string>]> = [
      ["ntfy", { server: receiver.url, topic: "comics", token: "tk_1" }],
      ["gotify", { server: `${receiver.url}/gotify/`, token: "Ab.1" }],
      ["discord", { url: `${receiver.url}/api/webhooks/1/x` }],
      ["apprise", { server: receiver.url, key: "house hold", tag: "comics" }],
    ];
    for (const [channel, fields] of all) {
      await reach(desk, "admin", channel, fields);
      const before = receiver.received.length;
      await tell(desk, `To ${channel}`);
      await until(() => receiver.received.length === before + 1);
    }
    expect(receiver.received.map(({ path }) => path)).toEqual([
      "/",
      "/gotify/message",
      "/api/webhooks/1/x?wait=true",
      "/notify/house%20hold",
    ]);
    expect(receiver.received[0]?.headers.authorization).toBe("Bearer tk_1");
    expect(receiver.json(0)).toMatchObject({
      topic: "comics",
      title: "To ntfy",
      message: "Choose another.",
      priority: 5,
      click: "https://box.example/series/4",
    });
    expect(receiver.received[1]?.headers["x-gotify-key"]).toBe("Ab.1");
    expect(receiver.json(1)).toMatchObject({ title: "To gotify", priority: 8 });
    expect(receiver.json(2)).toMatchObject({
      embeds: [{ title: "To discord", description: "Choose another." }],
      allowed_mentions: { parse: [] },
    });
    expect(receiver.json(3)).toMatchObject({ title: "To apprise", type: "failure", tag: "comics" });
  });

  it("send e-mail through the mail server of the settings, and say when none is set", async () => {
    const letters: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onAuth: ({ username, password }, _session, done) =>
        password === "right" ? done(null, { user: username }) : done(new Error("Wrong password")),
      async onData(stream, _session, done) {
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(part as Buffer);
        letters.push(Buffer.concat(parts).toString());
        done();
      },
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await using desk = await openTellingDesk();
      const id = await reach(desk, "viewer", "email", { address: "reader@example.org" });
      const viewer = desk.host.as("viewer");
      const path = `/api/notifications/addresses/${id}`;
      expect(await viewer.post(`${path}/try`)).toMatchObject({
        status: 409,
        body: { code: "notifications/not-verified" },
      });
      // Nothing could be sent, since no mail server is set.
      expect((await viewer.post(`${path}/code`)).body).toMatchObject({ ok: false });
      expect((await viewer.post(`${path}/verify`, { code: "000000" })).body.code).toBe("notifications/wrong-code");
      const port = (server.server.address() as AddressInfo).port;
      const mail = { mailHost: "127.0.0.1", mailPort: port, mailEncryption: "none", mailUser: "box" };
      const put = (more: object) =>
        desk.host
          .as("admin")
          .post("/api/settings", { notifications: { ...mail, mailFrom: "Box <box@example.org>", ...more } });
      expect((await put({ mailPassword: "wrong" })).status).toBe(200);
      expect((await viewer.post(`${path}/code`)).body).toMatchObject({ ok: false });
      expect((await put({ mailPassword: "right" })).body.notifications.mailPassword).toBe("********");
      expect((await viewer.post(`${path}/code`)).body).toMatchObject({ ok: true });
      const code = /^Subject: (\d{6}) is your code for Longbox\r$/m.exec(letters[0] ?? "")?.[1] ?? "";
      const verify = (given: string, role = "viewer") => desk.host.as(role).post(`${path}/verify`, { code: given });
      expect((await verify(code, "admin")).status).toBe(404);
      expect((await verify(code === "111111" ? "222222" : "111111")).status).toBe(400);
      // What happens before goes to the interface alone.
      await tell(desk, "Before", "viewer");
      expect((await verify(code)).body).toMatchObject({ id, verified: true });
      await tell(desk, "Ein Größenwahn ✓", "viewer");
      await until(() => letters.length === 2);
      expect(letters[1]).toMatch(/^To: reader@example\.org\r$/m);
      expect(letters[1]).toMatch(/^From: Box <box@example\.org>\r$/m);
      expect(letters[1]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(letters[1]).toContain("Choose another.");
      // Another address is another owner's, who has to prove it; a code bears five wrong attempts.
      const other = { fields: { address: "other@example.org" } };
      expect((await viewer.patch(path, other)).body).toMatchObject({ verified: false });
      const second = /^Subject: (\d{6})/m.exec(letters[2] ?? "")?.[1] ?? "";
      expect(letters[2]).toMatch(/^To: other@example\.org\r$/m);
      for (let attempt = 0; attempt < 5; attempt++)
        expect((await verify(second === "111111" ? "222222" : "111111")).status).toBe(400);
      expect((await verify(second)).status).toBe(400);
    } finally {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });

  it("push to browsers so that they alone can read it", async () => {
    await using receiver = await Receiver.start();
    await using desk = await openTellingDesk();
    const browser = createECDH("prime256v1");
    const p256dh = browser.generateKeys();
    const auth = randomBytes(16);
    await reach(desk, "admin", "web-push", {
      endpoint: `${receiver.url}/push/1`,
      p256dh: p256dh.toString("base64url"),
      auth: auth.toString("base64url"),
    });
    receiver.answers = [{ status: 201, headers: { Location: `${receiver.url}/m/1` } }];
    await tell(desk, "Read me");
    await until(() => receiver.received.length === 1);
    const { headers, body } = receiver.received[0] as (typeof receiver.received)[number];
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: expect.any(String) });
    const message = JSON.parse(decrypt(body, { browser, p256dh, auth }).toString());
    expect(message).toMatchObject({ title: "Read me", body: "Choose another." });
    const { pushKey } = (await desk.host.as("admin").get("/api/notifications/choices")).body;
    expect(verified(headers.authorization ?? "", pushKey)).toMatchObject({ aud: receiver.url });
    receiver.answers = [{ status: 404 }];
    await tell(desk, "Gone");
    await until(async () => (await desk.titles("admin")).includes("web-push was disabled"));
  });
});

/** What the browser does: RFC 8291 and RFC 8188, for one record. */
function decrypt(
  body: Buffer,
  { browser, p256dh, auth }: { browser: ReturnType<typeof createECDH>; p256dh: Buffer; auth: Buffer },
): Buffer {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const record = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, sender]);
  const key = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", key, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  expect(plain.at(-1)).toBe(2);
  return plain.subarray(0, -1);
}

/** What the push service does: RFC 8292. @returns the claims */
function verified(authorization: string, pushKey: string): unknown {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  expect(key).toBe(pushKey);
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const [head = "", claims = "", signature = ""] = token.split(".");
  const signed = Buffer.from(`${head}.${claims}`);
  expect(
    verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")),
  ).toBe(true);
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
