import { describe, expect, it } from "vitest";
import { listFile } from "./support/list-files.js";
import { openShelf, until } from "./support/shelf.js";

type Row = { title: string; monitor: string; followed: boolean; id: number; cvId: number };
type Issue = { cvIssueId: number; wanted: boolean; why: string | null; reason: string | null };

describe("wanting a whole list", () => {
  it("picks what is missing, and adds series that are not there with nothing else wanted", async () => {
    await using shelf = await openShelf();
    const seriesId = await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: { "1": 901 } });
    shelf.source.add(
      { id: 5001, name: "Moth Patrol", year: 2019, issues: { "1": 901, "2": 902, "3": 903 } },
      { id: 6001, name: "Lamp Street", year: 2020, issues: { "7": 777, "8": 778, "9": 779 } },
    );
    const trusted = shelf.host.as("trusted");
    await trusted.post(`/api/cv/match`, { seriesId, providerId: 5001 });
    const file = listFile(
      [
        { series: "x", number: "1", issue: 901 },
        { series: "x", number: "3", issue: 903 },
        { series: "x", number: "99", issue: 99_999 },
      ],
      "Night",
    );
    const { id } = (await trusted.post("/api/lists/import-cbl", file)).body;
    await trusted.post(`/api/lists/${id}/items`, { cvIssueIds: [779, 777] });
    const { status, body } = await trusted.post(`/api/lists/${id}/want`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        added: 1,
        picked: 3,
        failed: 1,
        issues: 5,
        running: false,
        failures: [
          { cvIssueId: 99_999, series: "x", number: "99", reason: "The provider has no such item in this series." },
        ],
      },
    });
    const rows: Row[] = (await trusted.get("/api/collection")).body;
    const added = rows.find((row) => row.cvId === 6001) as Row;
    expect(added).toMatchObject({ title: "Lamp Street", monitor: "none", followed: false });
    const wantedOf = async (series: number) =>
      (await trusted.get(`/api/collection/${series}`)).body.issues.map((issue: Issue) => [
        issue.cvIssueId,
        issue.wanted,
        issue.why,
        issue.reason,
      ]);
    expect(await wantedOf(added.id)).toEqual([
      [777, true, "list", "List: Night"],
      [778, false, null, null],
      [779, true, "list", "List: Night"],
    ]);
    expect(await wantedOf(seriesId)).toEqual([
      [901, false, null, null],
      [902, false, null, null],
      [903, true, "list", "List: Night"],
    ]);
    expect((await trusted.post(`/api/lists/${id}/want`)).body).toMatchObject({
      added: 0,
      picked: 3,
      failed: 1,
      issues: 5,
    });
    expect((await shelf.host.as("viewer").post(`/api/lists/${id}/want`)).status).toBe(403);
    expect((await shelf.host.as("admin").post(`/api/lists/${id}/want`)).status).toBe(404);
    await trusted.post(`/api/lists/${id}/public`, { public: true });
    expect((await shelf.host.as("admin").post(`/api/lists/${id}/want`)).body).toMatchObject({ picked: 3, issues: 5 });
  });

  it("wants what is in the library when the provider cannot be asked, and counts the rest", async () => {
    await using shelf = await openShelf({ alone: true });
    const seriesId = await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: { "1": 901 } });
    const id = await shelf.list("trusted", "Mixed", [901, 777]);
    expect((await shelf.host.as("trusted").post(`/api/lists/${id}/want`)).body).toMatchObject({
      added: 0,
      picked: 0,
      failed: 1,
      issues: 2,
      running: false,
    });
    expect(seriesId).toBeGreaterThan(0);
  });

  it("says what the provider said when it fails", async () => {
    await using shelf = await openShelf();
    shelf.source.broken = true;
    const id = await shelf.list("trusted", "Away", [777, 778]);
    expect((await shelf.host.as("trusted").post(`/api/lists/${id}/want`)).body).toMatchObject({
      added: 0,
      failed: 2,
      failures: [{ reason: "The source is down." }, { reason: "The source is down." }],
    });
  });

  it("goes on as a job with progress, and after a restart where it was", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    shelf.source.add(
      ...Array.from({ length: 5 }, (_, index) => ({
        id: 7000 + index,
        name: `Number${index}`,
        year: 2020,
        issues: { "1": 100 + index },
      })),
    );
    const [trusted, admin] = [shelf.host.as("trusted"), shelf.host.as("admin")];
    const id = await shelf.list("trusted", "Long", [100, 101, 102, 103, 104]);
    await until(async () =>
      (await trusted.get(`/api/lists/${id}`)).body.items.every(
        (item: { series: string | null }) => item.series !== null,
      ),
    );
    let letTwoPass = 0;
    let hold: (() => void) | undefined;
    Object.defineProperty(shelf.source, "gate", {
      configurable: true,
      get: () => (++letTwoPass <= 2 ? Promise.resolve() : new Promise<void>((resolve) => (hold = resolve))),
    });
    const { body } = await trusted.post(`/api/lists/${id}/want`, undefined, { prefer: "wait=0" });
    expect(body).toMatchObject({ issues: 5, running: true, jobId: expect.any(Number) });
    await until(async () => (await admin.get("/api/collection")).body.length === 1);
    expect(await trusted.post(`/api/lists/${id}/want`)).toMatchObject({
      status: 409,
      body: { details: { jobId: body.jobId } },
    });
    await until(async () => hold !== undefined);
    expect((await admin.get(`/api/jobs/${body.jobId}`)).body).toMatchObject({
      state: "running",
      title: "Want Long",
      total: 5,
    });
    Object.defineProperty(shelf.source, "gate", { value: Promise.resolve() });
    await shelf.host.restart();
    await until(async () => (await admin.get(`/api/jobs/${body.jobId}`)).body.state === "done");
    expect((await admin.get(`/api/jobs/${body.jobId}`)).body.message).toMatch(
      /series were added, 5 items are wanted\./,
    );
    const rows: Row[] = (await admin.get("/api/collection")).body;
    expect(rows.map((row) => [row.title, row.monitor, row.followed]).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((index) => [`Number${index}`, "none", false]),
    );
  });

  it("stops when the account that asked loses the right to it, whether it runs or is taken up after a restart", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    const admin = shelf.host.as("admin");
    shelf.source.add(
      ...[0, 1].map((index) => ({ id: 7000 + index, name: `N${index}`, year: 2020, issues: { "1": 100 + index } })),
    );
    const account = (await admin.get("/api/users")).body.find(
      (user: { username: string }) => user.username === "trusted",
    );
    const id = await shelf.list("trusted", "Long", [100, 101]);
    let open: (() => void) | undefined;
    shelf.source.gate = new Promise<void>((resolve) => (open = resolve));
    const { jobId } = (await shelf.host.as("trusted").post(`/api/lists/${id}/want`, undefined, { prefer: "wait=0" }))
      .body;
    await admin.patch(`/api/users/${account.id}`, { role: "viewer" });
    open!();
    await until(async () => (await admin.get(`/api/jobs/${jobId}`)).body.state === "failed");
    expect((await admin.get(`/api/jobs/${jobId}`)).body.error).toMatch(/may no longer add to the library/);
    const wanted = (await admin.get("/api/collection")).body.length;
    expect(wanted).toBeLessThan(2);

    await admin.patch(`/api/users/${account.id}`, { role: "trusted" });
    shelf.source.gate = new Promise(() => undefined);
    const again = (await shelf.host.as("trusted").post(`/api/lists/${id}/want`, undefined, { prefer: "wait=0" })).body;
    await admin.patch(`/api/users/${account.id}`, { active: false });
    shelf.source.gate = Promise.resolve();
    await shelf.host.restart();
    await until(async () => (await admin.get(`/api/jobs/${again.jobId}`)).body.state === "failed");
    expect((await admin.get("/api/collection")).body).toHaveLength(wanted);
  });

  it("stops when its job is cancelled, and keeps what was wanted by then", async () => {
    await using shelf = await openShelf();
    shelf.source.add({ id: 7000, name: "Number0", year: 2020, issues: { "1": 100 } });
    const id = await shelf.list("trusted", "Long", [100]);
    shelf.source.gate = new Promise(() => undefined);
    const [trusted, admin] = [shelf.host.as("trusted"), shelf.host.as("admin")];
    const { jobId } = (await trusted.post(`/api/lists/${id}/want`, undefined, { prefer: "wait=0" })).body;
    await admin.post(`/api/jobs/${jobId}/cancel`);
    await until(async () => (await admin.get(`/api/jobs/${jobId}`)).body.state === "cancelled");
    expect((await admin.get("/api/collection")).body).toEqual([]);
  });
});
