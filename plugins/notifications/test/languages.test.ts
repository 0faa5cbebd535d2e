// Two people with two languages: the list in the interface and mails, each in their own.
import type { AddressInfo } from "node:net";
import { Jobs } from "@longbox/operations/contract";
import { Conflict } from "@longbox/sdk";
import { pluginMessages } from "@longbox/sdk/messages";
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import { openTellingDesk, until, type TellingDesk } from "./support/telling-desk.ts";

/** A mail server on loopback that keeps the letters it gets. */
async function openMailServer() {
  const letters: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, _session, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      letters.push(Buffer.concat(parts).toString());
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    letters,
    port: (server.server.address() as AddressInfo).port,
    to: (address: string) => letters.filter((letter) => letter.includes(`\nTo: ${address}\r`)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const speak = async (desk: TellingDesk, role: string, body: object) =>
  expect((await desk.host.as(role).post("/api/language", body)).status).toBe(200);

/** An address of a user, verified by the code that was sent there, for additions to the library. */
async function mailTo(desk: TellingDesk, role: string, letters: () => readonly string[]): Promise<void> {
  const user = desk.host.as(role);
  const fields = { address: `${role}@example.org` };
  const made = await user.post("/api/notifications/addresses", { channel: "email", name: "Mail", fields });
  const code = /^Subject: .*?(\d{6})/m.exec(letters()[0] ?? "")?.[1];
  const path = `/api/notifications/addresses/${made.body.id}`;
  expect((await user.post(`${path}/verify`, { code })).body).toMatchObject({ verified: true });
  const { preferences } = (await user.get("/api/notifications/choices")).body;
  preferences.import.addresses = [made.body.id];
  expect((await user.post("/api/notifications/choices", preferences)).status).toBe(200);
}

it("tells each person of additions in their own language, in the interface and by mail", async () => {
  await using mails = await openMailServer();
  const mail = { mailHost: "127.0.0.1", mailPort: mails.port, mailEncryption: "none", mailFrom: "box@example.org" };
  await using desk = await openTellingDesk({ plugins: ["web"], settings: { notifications: mail } });
  await speak(desk, "viewer", { language: "de" });
  // The browser's language, of a user who chose none.
  await speak(desk, "trusted", { shown: "ar" });
  const people = ["admin", "viewer"] as const;
  for (const role of people) await mailTo(desk, role, () => mails.to(`${role}@example.org`));
  expect(mails.to("admin@example.org")[0]).toMatch(/^Subject: \d{6} is your code for Longbox\r$/m);
  expect(mails.to("viewer@example.org")[0]).toMatch(
    /^Subject: =\?UTF-8\?Q\?\d{6}_ist_dein_Code_f=C3=BCr_Longbox\?=\r$/m,
  );

  await desk.place("Night Bell", ["1", "2"]);
  await until(() => people.every((role) => mails.to(`${role}@example.org`).length === 2));
  expect(mails.to("admin@example.org")[1]).toMatch(/^Subject: 2 new in Night Bell\r$/m);
  expect(mails.to("viewer@example.org")[1]).toMatch(/^Subject: 2 neu in Night Bell\r$/m);
  expect(mails.to("viewer@example.org")[1]).toMatch(/^Content-Language: de\r$/m);
  expect(await desk.titles("admin")).toEqual(["2 new in Night Bell"]);
  expect(await desk.titles("viewer")).toEqual(["2 neu in Night Bell"]);
  expect(await desk.titles("trusted")).toEqual(["2 جديد في \u2068Night Bell\u2069"]);

  // What was told before follows its reader to another language.
  await speak(desk, "viewer", { language: "en" });
  expect(await desk.titles("viewer")).toEqual(["2 new in Night Bell"]);
});

it("says in the language of each administrator which job failed, and why", async () => {
  await using desk = await openTellingDesk({ plugins: ["web"] });
  await speak(desk, "admin", { language: "de" });
  const failing = async (title: string, thrown: Error) => {
    const { ended } = await desk.host.use(Jobs).run("test.failing", title, () => Promise.reject(thrown));
    await ended;
    await until(async () => (await desk.titles("admin")).some((one) => one.includes("ehlgeschlagen")));
    const [told] = (await desk.host.as("admin").get("/api/notifications")).body;
    return [told.title, told.body];
  };
  const noService = new Conflict("operations/no-support-service", "There is no support service.");
  expect(await failing("Scan Comics", noService)).toEqual([
    "Fehlgeschlagen: Comics scannen",
    "Es ist kein Supportdienst eingestellt. Trage ihn in den Einstellungen ein, oder lade das Paket herunter.",
  ]);
  await speak(desk, "admin", { language: "en" });
  expect(await desk.titles("admin")).toEqual(["Scan Comics failed"]);
});

it("takes finished text as before, and texts in several languages, which end at the same length", async () => {
  await using desk = await openTellingDesk({ plugins: ["web"] });
  const userIds = [await desk.idOf("viewer")];
  await speak(desk, "viewer", { language: "de-AT" });
  await desk.notify({ category: "system", title: "Finished", body: "As it is." }, { userIds });
  await desk.notify({ category: "system", title: { en: "Only English" } }, { userIds });
  await desk.notify(
    { category: "system", title: { en: "Long", de: "ß".repeat(300) }, body: { en: "Body", de: "Text\0" } },
    { userIds },
  );
  const list = (await desk.host.as("viewer").get("/api/notifications")).body;
  expect(list.map(({ title, body }: { title: string; body: string }) => [title, body])).toEqual([
    [`${"ß".repeat(199)}…`, "Text"],
    ["Only English", ""],
    ["Finished", "As it is."],
  ]);
});

it("says messages of a plugin in all of its languages, and refuses one that it does not have", async () => {
  const say = pluginMessages(import.meta.url);
  expect(await say("arrivals.inSeries", { count: 1200, series: 1 })).toEqual({
    en: "1,200 new in 1 series",
    de: "1.200 neu in 1 Serie",
    ar: expect.stringContaining("سلسلة واحدة"),
  });
  const inside = await say("arrivals.one", { item: { en: "The first", de: "Das erste" } });
  expect(inside).toMatchObject({ en: "The first is in the library", de: "Das erste ist in der Bibliothek" });
  await expect(say("nothing.like.it")).rejects.toThrow(/en\.json has no message "nothing\.like\.it"/);
});
