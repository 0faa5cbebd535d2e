import { KernelLogs } from "@longbox/sdk";
import { readXmlTree } from "@longbox/sdk/xml";
import { describe, expect, it } from "vitest";
import { coming, inDays, openReleaseDesk, today } from "./support/release-desk.js";

const feed = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** The properties of each event, unfolded; escaped text is turned back. */
function eventsOf(calendar: string): Array<Record<string, string>> {
  const lines = calendar.replaceAll("\r\n ", "").split("\r\n");
  const events: Array<Record<string, string>> = [];
  for (const line of lines) {
    if (line === "BEGIN:VEVENT") events.push({});
    const [name = "", value = ""] = line.split(/:(.*)/s);
    const event = events.at(-1);
    if (event && !/^(BEGIN|END)$/.test(name))
      event[name] = value.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
  }
  return events;
}

const wild = `Moth, "Patrol"; a\\b\r\nEND:VCALENDAR \u0007 ${"🦋".repeat(30)} <b>&amp;`;

async function openFeedDesk() {
  const desk = await openReleaseDesk({
    volumes: [
      coming(1, "Moth Patrol", { number: 1 }),
      coming(2, "Night Bell", { number: 2 }),
      coming(3, "Salt Road", { number: 3 }),
    ],
  });
  await desk.idOf("viewer");
  await desk.check();
  const seriesId = await desk.add(2);
  await desk.host.as("viewer").post(`/api/collection/${seriesId}/follow`, { follow: true });
  return { desk, seriesId };
}

describe("the feeds", () => {
  it("show a user's pull list to calendars and readers, by an address with a key of its own", async () => {
    const { desk, seriesId } = await openFeedDesk();
    await using _ = desk;
    const viewer = desk.host.as("viewer");
    expect((await viewer.get("/api/releases/calendar-key")).body).toEqual({ madeAt: null });
    const made = (await viewer.post("/api/releases/calendar-key")).body;
    expect((await viewer.get("/api/releases/calendar-key")).body).toEqual({ madeAt: made.madeAt });
    const calendar = await feed(made.calendar);
    expect(calendar.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(calendar.headers.get("cache-control")).toContain("max-age=900");
    expect(calendar.headers.get("referrer-policy")).toBe("no-referrer");
    expect(eventsOf(calendar.text)).toEqual([
      expect.objectContaining({
        UID: expect.stringMatching(/^release-202@[0-9a-f-]{36}$/),
        "DTSTART;VALUE=DATE": today.replaceAll("-", ""),
        "DTEND;VALUE=DATE": inDays(1).replaceAll("-", ""),
        SUMMARY: "Night Bell #2",
        SEQUENCE: "0",
        URL: `${desk.host.url}/series/${seriesId}`,
      }),
    ]);
    const again = await feed(made.calendar, { "if-none-match": calendar.headers.get("etag")! });
    expect([again.status, again.text]).toEqual([304, ""]);
    const atom = await feed(made.atom);
    expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(readXmlTree(Buffer.from(atom.text))).toMatchObject({ name: "feed" });
    expect(atom.text.match(/<entry>/g)).toHaveLength(1);
    expect(atom.text).toContain('<title type="text">Night Bell #2</title>');
    for (const text of [calendar.text, atom.text]) expect(text).not.toContain(made.key);
    await desk.add(1);
    const both = await feed(`${made.calendar}&show=tracked`);
    expect(eventsOf(both.text)).toHaveLength(2);
  });

  it("keep an event that moves, and take no line from what a title holds", async () => {
    const { desk } = await openFeedDesk();
    await using _ = desk;
    const { calendar } = (await desk.host.as("viewer").post("/api/releases/calendar-key")).body;
    const [before] = eventsOf((await feed(calendar)).text);
    desk.provider.add(
      coming(2, "Night Bell", {
        number: 2,
        issues: [{ id: 202, issue_number: "2", store_date: inDays(7), name: wild }],
      }),
    );
    await desk.check();
    const { text } = await feed(calendar);
    const [after, ...others] = eventsOf(text);
    expect(others).toEqual([]);
    expect(after).toMatchObject({
      UID: before!["UID"],
      SEQUENCE: "1",
      "DTSTART;VALUE=DATE": inDays(7).replaceAll("-", ""),
    });
    expect(text.split("\r\n").filter((line) => line === "END:VCALENDAR")).toHaveLength(1);
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(after!["DESCRIPTION"]).toContain("🦋".repeat(30));
    expect(text).not.toContain("\u0007");
    const { atom } = (await desk.host.as("viewer").post("/api/releases/calendar-key")).body;
    expect(readXmlTree(Buffer.from((await feed(atom)).text))).toMatchObject({ name: "feed" });
  });

  it("are refused to a wrong, an old and a revoked key, and to every other credential", async () => {
    const { desk } = await openFeedDesk();
    await using _ = desk;
    const viewer = desk.host.as("viewer");
    const first = (await viewer.post("/api/releases/calendar-key")).body;
    const second = (await viewer.post("/api/releases/calendar-key")).body;
    expect((await feed(first.calendar)).status).toBe(401);
    expect((await feed(second.calendar)).status).toBe(200);
    expect((await viewer.get("/api/releases/calendar.ics")).status).toBe(401);
    expect((await feed(`${desk.host.url}/api/releases?key=${second.key}`)).status).toBe(401);
    expect((await feed(`${desk.host.url}/api/releases`, { "x-api-key": second.key })).status).toBe(401);
    expect((await viewer.delete("/api/releases/calendar-key")).body).toEqual({ revoked: true });
    expect((await viewer.delete("/api/releases/calendar-key")).body).toEqual({ revoked: false });
    for (const address of [second.calendar, second.atom]) expect((await feed(address)).status).toBe(401);
  });

  it("keep their keys out of the log and off the disk", async () => {
    const { desk } = await openFeedDesk();
    await using _ = desk;
    const { key, calendar, atom } = (await desk.host.as("viewer").post("/api/releases/calendar-key")).body;
    for (const address of [calendar, atom, `${calendar}&show=nothing`]) await feed(address);
    const { lines } = await desk.host.use(KernelLogs).list({ limit: 1000 });
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it("go with the account, and follow its rights", async () => {
    const { desk } = await openFeedDesk();
    await using _ = desk;
    const viewerId = await desk.idOf("viewer");
    const { calendar } = (await desk.host.as("viewer").post("/api/releases/calendar-key")).body;
    await desk.host.as("admin").patch(`/api/users/${viewerId}`, { active: false });
    expect((await feed(calendar)).status).toBe(401);
    await desk.host.as("admin").patch(`/api/users/${viewerId}`, { active: true });
    expect((await feed(calendar)).status).toBe(200);
    await desk.host.as("admin").delete(`/api/users/${viewerId}`);
    expect((await feed(calendar)).status).toBe(401);
  });
});
