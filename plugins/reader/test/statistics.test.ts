import { Reading } from "@longbox/reading/contract";
import { systemViewer } from "@longbox/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openReadingRoom, type ReadingRoom, type RoomIssue } from "./support/reading-room.js";

let room: ReadingRoom;
let one: RoomIssue;
let two: RoomIssue;
beforeAll(async () => {
  room = await openReadingRoom();
  [one, two] = await Promise.all([room.issue("Moth Patrol", "1"), room.issue("Moth Patrol", "2")]);
});
afterAll(() => room[Symbol.asyncDispose]());

const dayMs = 86_400_000;
/** 23:30 UTC, so many days ago: the next day already in Auckland, the same one in New York. */
const lateEvening = (daysAgo: number) =>
  `${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)}T23:30:00.000Z`;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

it("counts pages, finishes and streaks by the days of the reader's time zone", async () => {
  const viewer = room.host.as("viewer");
  const report = (issue: RoomIssue, page: number, daysAgo: number) =>
    viewer.post(`/api/reader/issue/${issue.cvIssueId}/progress`, { page, pages: 4, readAt: lateEvening(daysAgo) });
  await report(one, 1, 5);
  await report(one, 0, 4);
  await report(one, 3, 3);
  await report(two, 0, 2);
  const { body: utc } = await viewer.get("/api/reader/stats?days=10");
  expect(utc).toMatchObject({
    issuesFinished: 1,
    issuesBegun: 1,
    pagesRead: 5,
    series: [{ series: "Moth Patrol", pages: 5, finished: 1 }],
    streak: { longest: 2 },
  });
  expect(utc.days).toHaveLength(10);
  const days = new Map<string, { pages: number; finished: number }>(
    utc.days.map((day: { day: string; pages: number; finished: number }) => [day.day, day]),
  );
  expect([5, 4, 3, 2].map((daysAgo) => days.get(dayOf(daysAgo))?.pages)).toEqual([2, 0, 2, 1]);
  const { body: auckland } = await viewer.get("/api/reader/stats?days=10&timeZone=Pacific/Auckland");
  expect(auckland.days.find((day: { day: string }) => day.day === dayOf(4))).toMatchObject({ pages: 2 });
  expect(auckland.days.find((day: { day: string }) => day.day === dayOf(2))).toMatchObject({ finished: 1 });
});

it("keeps days in a row through the nights in which clocks are set forward and back", async () => {
  const trusted = room.host.as("trusted");
  const streak = async (timeZone: string) =>
    (await trusted.get(`/api/reader/stats?timeZone=${timeZone}`)).body.streak.longest;
  const read = async (times: readonly string[]) => {
    for (const [page, readAt] of times.entries())
      await trusted.post(`/api/reader/issue/${one.cvIssueId}/progress`, {
        page,
        pages: 40,
        readAt,
        restart: page === 0,
      });
  };
  // In Berlin half past eleven in the evening three times, of the 30th too, the day of 23 hours, and half past midnight
  // on the 31st.
  await read(["2025-03-28T22:30:00Z", "2025-03-29T22:30:00Z", "2025-03-30T21:30:00Z", "2025-03-30T22:30:00Z"]);
  expect([await streak("Europe/Berlin"), await streak("UTC")]).toEqual([4, 3]);
  // Half past two is there twice on the 26th, the day of 25 hours.
  await read([
    "2025-10-25T21:59:00Z",
    "2025-10-26T00:30:00Z",
    "2025-10-26T01:30:00Z",
    "2025-10-26T22:59:00Z",
    "2025-10-26T23:00:00Z",
    "2025-10-28T22:00:00Z",
    "2025-10-28T23:00:00Z",
  ]);
  expect([await streak("Europe/Berlin"), await streak("Asia/Kathmandu")]).toEqual([5, 3]);
});

it("refuses time zones that do not exist", async () => {
  expect((await room.host.as("viewer").get("/api/reader/stats?timeZone=Mars/Olympus")).status).toBe(400);
});

it("forgets a user who is deleted, and keeps all others", async () => {
  const admin = room.host.as("admin");
  const viewer = room.host.as("viewer");
  const trusted = room.host.as("trusted");
  await trusted.post(`/api/reader/issue/${one.cvIssueId}/progress`, { page: 2, pages: 4, completed: false });
  const { id } = (await viewer.get("/api/auth/me")).body.user;
  const users = (await admin.get("/api/users")).body as Array<{ id: number; username: string }>;
  expect(users.some((user) => user.id === id)).toBe(true);
  expect((await admin.delete(`/api/users/${id}`)).status).toBeLessThan(300);
  const reading = room.host.use(Reading);
  const { user } = (await trusted.get("/api/auth/me")).body;
  expect([
    await reading.find({ ...systemViewer, user: { ...user, id } }, [one.id, two.id]),
    (await reading.find({ ...systemViewer, user }, [one.id])).length,
  ]).toEqual([[], 1]);
});
