import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { listFile } from "./support/list-files.js";
import { clientIds, openShelf, until } from "./support/shelf.js";

const xml = { "content-type": "application/xml" };
type Item = { cvIssueId: number; series: string; number: string; owned: boolean };

describe("importing a list file", () => {
  it("matches by the ids in the file, then by name in the library, then at the provider, and says what is left", async () => {
    await using shelf = await openShelf();
    const seriesId = await shelf.place({
      name: "The Moth Patrol",
      year: 2019,
      cvId: 5001,
      issues: { "1": 901, "2": 902, "0.5": 950 },
    });
    await shelf.place({ name: "Moth Patrol", year: 1985, issues: { "1": undefined } });
    shelf.source.add(
      { id: 6001, name: "Lamp Street", year: 2020, issues: { "7": 777, "8": 778 } },
      { id: 6002, name: "Lamp Street", year: 2004, issues: { "7": 707 } },
      { id: 6003, name: "Street Lamp", year: 2020, issues: { "7": 666 } },
    );
    const file = listFile([
      { series: "Wrong name", number: "9", issue: 901 },
      { series: "Moth Patrol", number: "½", volume: "2019" },
      { series: "Lamp Street", number: "7", volume: "2020" },
      { series: "moth patrol", number: "002", volume: "2019" },
      { series: "Lamp Street", number: "99", volume: "2020" },
      { series: "Lamp Street", number: "7", volume: "1999" },
      { series: "Nobody", number: "1" },
      { series: "", number: "1" },
      { series: "Moth Patrol", number: "" },
      { series: "Elsewhere", number: "3", volume: "2011", issue: 88_001 },
    ]);
    const viewer = shelf.host.as("viewer");
    const { status, body } = await viewer.post("/api/lists/import-cbl", file, xml);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.any(Number),
        name: "Lamplight Saga",
        imported: 5,
        total: 10,
        unmatched: [
          {
            series: "Lamp Street",
            number: "99",
            volume: "2020",
            reason: "The provider has nothing with this number in the series.",
          },
          {
            series: "Lamp Street",
            number: "7",
            volume: "1999",
            reason: "The provider's series of this name did not begin in 1999.",
          },
          { series: "Nobody", number: "1", volume: "", reason: "The provider has no series of this name." },
          { series: "", number: "1", volume: "", reason: "The file names no series." },
          { series: "Moth Patrol", number: "", volume: "", reason: "The file names no number." },
        ],
      },
    });
    const list = (await viewer.get(`/api/lists/${body.id}`)).body;
    expect(list.items.map((item: Item) => [item.cvIssueId, item.series, item.number, item.owned])).toEqual([
      [901, "The Moth Patrol", "1", true],
      [950, "The Moth Patrol", "0.5", true],
      [777, "Lamp Street", "7", false],
      [902, "The Moth Patrol", "2", true],
      [88_001, "Elsewhere", "3", false],
    ]);
    expect(list.unmatched).toEqual(body.unmatched);
    expect(list.items[0].seriesId).toBe(seriesId);
    expect(shelf.source.asked.filter((question) => question.startsWith("search"))).toEqual([
      "search Lamp Street",
      "search Lamp Street",
      "search Nobody",
    ]);
  });

  it("keeps duplicates and their order, and takes one or all of them out", async () => {
    await using shelf = await openShelf({ alone: true });
    const viewer = shelf.host.as("viewer");
    const { body } = await viewer.post(
      "/api/lists/import-cbl?name=Twice",
      listFile([1, 2, 1, 3, 1].map((issue) => ({ series: "A", number: String(issue), issue }))),
      xml,
    );
    expect(body).toMatchObject({ name: "Twice", imported: 5, total: 5, unmatched: [] });
    const path = `/api/lists/${body.id}`;
    const order = async () => (await viewer.get(path)).body.items.map((item: Item) => item.cvIssueId);
    await viewer.patch(path, { order: [3, 1, 1, 2, 1] });
    expect(await order()).toEqual([3, 1, 1, 2, 1]);
    expect((await viewer.delete(`${path}/items/1?position=3`)).body).toEqual({ removed: 1 });
    expect((await viewer.delete(`${path}/items/1?position=1`)).status).toBe(404);
    expect(await order()).toEqual([3, 1, 2, 1]);
    expect((await viewer.delete(`${path}/items/1`)).body).toEqual({ removed: 2 });
    expect(await order()).toEqual([3, 2]);
  });

  it("tells apart series of one name by the year, and does not look at hidden ones", async () => {
    await using shelf = await openShelf({ alone: true });
    const old = await clientIds(
      shelf.host,
      await shelf.place({ name: "Moth Patrol", year: 1985, issues: { "1": undefined } }),
    );
    const late = await clientIds(
      shelf.host,
      await shelf.place({ name: "Moth Patrol", year: 2019, issues: { "1": undefined } }),
    );
    await shelf.place({ name: "After Dark", year: 2019, issues: { "1": undefined }, restricted: true });
    const file = listFile([
      { series: "Moth Patrol", number: "1", volume: "2019" },
      { series: "Moth Patrol", number: "1", volume: "1985" },
      { series: "Moth Patrol", number: "1", volume: "2" },
      { series: "Moth Patrol", number: "1", volume: "2001" },
      { series: "After Dark", number: "1", volume: "2019" },
    ]);
    const { body } = await shelf.host.as("viewer").post("/api/lists/import-cbl", file, xml);
    expect(body.unmatched.map((book: { reason: string }) => book.reason)).toEqual([
      "Several items in the library match.",
      "The series of this name in the library did not begin in 2001.",
      "No series of this name is in the library.",
    ]);
    expect(
      (await shelf.host.as("viewer").get(`/api/lists/${body.id}`)).body.items.map((item: Item) => item.cvIssueId),
    ).toEqual([late["1"], old["1"]]);
  });

  it("says that the provider could not be asked, and looks again on request", async () => {
    await using shelf = await openShelf();
    shelf.source.broken = true;
    const viewer = shelf.host.as("viewer");
    const file = listFile([
      { series: "Moth", number: "1", issue: 5 },
      { series: "Lamp Street", number: "7", volume: "2020" },
      { series: "Moth", number: "2", issue: 6 },
    ]);
    const { body } = await viewer.post("/api/lists/import-cbl", file, xml);
    expect(body).toMatchObject({
      imported: 2,
      total: 3,
      unmatched: [{ reason: "The provider could not be asked: The source is down." }],
    });
    shelf.source.broken = false;
    shelf.source.add({ id: 6001, name: "Lamp Street", year: 2020, issues: { "7": 777 } });
    expect((await viewer.post(`/api/lists/${body.id}/match`)).body).toMatchObject({
      imported: 1,
      total: 1,
      unmatched: [],
    });
    const list = (await viewer.get(`/api/lists/${body.id}`)).body;
    expect([list.items.map((item: Item) => item.cvIssueId), list.unmatched]).toEqual([[5, 777, 6], []]);
  });

  it("forgets unmatched books on demand, and leaves them to the owner", async () => {
    await using shelf = await openShelf({ alone: true });
    const trusted = shelf.host.as("trusted");
    const { body } = await trusted.post(
      "/api/lists/import-cbl",
      listFile([
        { series: "A", number: "1" },
        { series: "A", number: "2", issue: 2 },
      ]),
      xml,
    );
    await trusted.post(`/api/lists/${body.id}/public`, { public: true });
    expect((await shelf.host.as("viewer").get(`/api/lists/${body.id}`)).body.unmatched).toEqual([]);
    expect((await trusted.get(`/api/lists/${body.id}`)).body.unmatched).toHaveLength(1);
    expect((await trusted.delete(`/api/lists/${body.id}/unmatched`)).body).toEqual({ removed: 1 });
    expect((await trusted.get(`/api/lists/${body.id}`)).body.unmatched).toEqual([]);
  });

  it("refuses bodies that are empty, too large or no list, naming the body", async () => {
    await using shelf = await openShelf({ alone: true });
    const viewer = shelf.host.as("viewer");
    for (const path of ["/api/lists/import-cbl", "/api/lists/cbl-preview"]) {
      for (const body of [
        undefined,
        "",
        "<html/>",
        "<ReadingList>",
        `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ReadingList><Books><Book Series="&e;"/></Books></ReadingList>`,
      ]) {
        expect(await viewer.post(path, body, xml), `${path} ${body}`).toMatchObject({
          status: 400,
          body: { details: { body: expect.any(String) } },
        });
      }
      expect((await viewer.post(path, "x".repeat(4 * 1024 * 1024 + 1), xml)).status).toBe(413);
    }
    expect((await viewer.get("/api/lists")).body).toEqual([]);
  });

  it("shows what a file would give without keeping it", async () => {
    await using shelf = await openShelf({ alone: true });
    const seriesId = await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: { "1": 901 } });
    const viewer = shelf.host.as("viewer");
    const { status, body } = await viewer.post(
      "/api/lists/cbl-preview",
      listFile([
        { series: "Moth Patrol", number: "1", volume: "2019", year: "2019" },
        { series: "Lamp", number: "7", issue: 777 },
        { series: "Nobody", number: "1" },
      ]),
      xml,
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        name: "Lamplight Saga",
        total: 3,
        owned: 1,
        listsLeft: 2_000,
        books: [
          {
            series: "Moth Patrol",
            number: "1",
            volume: "2019",
            year: "2019",
            cvIssueId: 901,
            seriesId,
            hasId: false,
            owned: true,
            inLibrary: true,
          },
          {
            series: "Lamp",
            number: "7",
            volume: "",
            year: "",
            cvIssueId: 777,
            hasId: true,
            owned: false,
            inLibrary: false,
          },
          { series: "Nobody", number: "1", volume: "", year: "", hasId: false, owned: false, inLibrary: false },
        ],
      },
    });
    expect((await viewer.get("/api/lists")).body).toEqual([]);
  });

  it("gives a list back as a file that brings the same list", async () => {
    await using shelf = await openShelf({ alone: true });
    await shelf.place({ name: "Moth & Patrol", cvId: 5001, issues: { "1": 901, "½": 950 } });
    const viewer = shelf.host.as("viewer");
    const file = listFile(
      [
        { series: "Moth & Patrol", number: "½", volume: "2019" },
        { series: "Nobody <b>", number: "1", volume: "2001" },
        { series: "Lamp", number: "7", volume: "2020", year: "2021", issue: 777 },
      ],
      'A "list"/of? <books>',
    );
    const { id } = (await viewer.post("/api/lists/import-cbl", file, xml)).body;
    const answer = await viewer.get(`/api/lists/${id}/cbl`);
    expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`filename="A -list--of- -books-.cbl"`);
    const again = (await viewer.post("/api/lists/import-cbl", answer.body, xml)).body;
    const [one, other] = [
      (await viewer.get(`/api/lists/${id}`)).body,
      (await viewer.get(`/api/lists/${again.id}`)).body,
    ];
    expect({ ...other, id: one.id, createdAt: one.createdAt }).toEqual(one);
    expect(await viewer.get(`/api/lists/${again.id}/cbl`)).toMatchObject({ body: answer.body });
  });
});

describe("long imports", () => {
  it("goes on as a job that can be cancelled, and is taken up after a restart", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    shelf.source.add(
      ...Array.from({ length: 6 }, (_, index) => ({
        id: 7000 + index,
        name: `Number${index}`,
        year: 2020,
        issues: { "1": 100 + index },
      })),
    );
    shelf.source.gate = new Promise(() => undefined);
    const file = listFile(
      Array.from({ length: 6 }, (_, index) => ({ series: `Number${index}`, number: "1", volume: "2020" })),
    );
    const [viewer, admin] = [shelf.host.as("viewer"), shelf.host.as("admin")];
    const { body } = await viewer.post("/api/lists/import-cbl", file, { ...xml, prefer: "wait=0" });
    expect(body).toMatchObject({ imported: 0, total: 6, jobId: expect.any(Number) });
    expect(body.unmatched[0].reason).toBe("It has not been looked up yet.");
    expect(await viewer.post(`/api/lists/${body.id}/match`, undefined, { prefer: "wait=0" })).toMatchObject({
      status: 409,
      body: { code: "operations/job-running" },
    });
    await admin.post(`/api/jobs/${body.jobId}/cancel`);
    await until(async () => (await admin.get(`/api/jobs/${body.jobId}`)).body.state === "cancelled");
    const again = (await viewer.post(`/api/lists/${body.id}/match`, undefined, { prefer: "wait=0" })).body;
    await until(async () => (await admin.get(`/api/jobs/${again.jobId}`)).body.state === "running");
    shelf.source.gate = Promise.resolve();
    await shelf.host.restart();
    await until(async () => (await admin.get(`/api/jobs/${again.jobId}`)).body.state === "done");
    expect((await admin.get(`/api/jobs/${again.jobId}`)).body).toMatchObject({
      title: "Find the items of Lamplight Saga",
      total: 6,
      done: 6,
    });
    expect((await viewer.get(`/api/lists/${body.id}`)).body.items.map((item: Item) => item.cvIssueId)).toEqual([
      100, 101, 102, 103, 104, 105,
    ]);
  });

  it("takes a file of 2,000 books while others are answered at once", async () => {
    await using shelf = await openShelf({ alone: true });
    const viewer = shelf.host.as("viewer");
    await shelf.place({
      name: "Long Run",
      year: 1962,
      issues: Object.fromEntries(Array.from({ length: 800 }, (_, index) => [String(index + 1), undefined])),
    });
    const kinds = [
      (index: number) => ({ series: "Long Run", number: String(1 + (index % 800)), volume: "1962" }),
      (index: number) => ({ series: `Series ${index % 200}`, number: String(index), volume: "2019", issue: index }),
      (index: number) => ({ series: `Series ${index % 200}`, number: String(index) }),
    ];
    const file = listFile(
      Array.from({ length: 2000 }, (_, index) => (kinds[index % 4 === 3 ? 0 : index % 4] as (typeof kinds)[0])(index)),
    );
    let done = false;
    const importing = viewer
      .post("/api/lists/import-cbl", file, { ...xml, prefer: "wait=60" })
      .finally(() => (done = true));
    // An import that holds the server lets one request in before it, and the next ones after it.
    let answered = 0;
    while (!done) {
      expect((await viewer.get("/api/lists")).status).toBe(200);
      if (!done) answered += 1;
    }
    expect((await importing).body).toMatchObject({ imported: 1500, total: 2000 });
    expect(answered).toBeGreaterThan(3);
  });
});

describe("importing a story arc", () => {
  it("makes a list in the order in which the issues came out", async () => {
    await using shelf = await openShelf();
    await shelf.place({ name: "Moth Patrol", cvId: 5001, issues: { "1": 901 } });
    shelf.source.add(
      { id: 5001, name: "Moth Patrol", year: 2019, issues: { "1": 901, "2": 902 } },
      { id: 6001, name: "Lamp Street", year: 2018, issues: { "7": 777 } },
    );
    shelf.source.arcs.set(40, { name: "The long night", issues: [902, 901, 777, 12_345] });
    const viewer = shelf.host.as("viewer");
    const { status, body } = await viewer.post("/api/lists/import-arc", { arcId: 40 });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: "The long night", arcId: 40, items: 4, owned: 1, mine: true, imported: 4, total: 4 },
    });
    const list = (await viewer.get(`/api/lists/${body.id}`)).body;
    expect(list.items.map((item: Item) => [item.cvIssueId, item.series])).toEqual([
      [777, "Lamp Street"],
      [901, "Moth Patrol"],
      [902, "Moth Patrol"],
      [12_345, null],
    ]);
  });

  it("answers what is wrong", async () => {
    await using shelf = await openShelf();
    const viewer = shelf.host.as("viewer");
    shelf.source.arcs.set(41, { name: "Nothing", issues: [] });
    expect(await viewer.post("/api/lists/import-arc", {})).toMatchObject({
      status: 400,
      body: { details: { arcId: expect.any(String) } },
    });
    expect(await viewer.post("/api/lists/import-arc", { arcId: 41 })).toMatchObject({
      status: 400,
      body: { details: { arcId: expect.any(String) } },
    });
    expect(await viewer.post("/api/lists/import-arc", { arcId: "nonsense" })).toMatchObject({
      status: 400,
      body: { details: { arcId: expect.any(String) } },
    });
    for (const arcId of [42, "42", "https://comicvine.example/night/4045-42/"])
      expect((await viewer.post("/api/lists/import-arc", { arcId })).body.code).toBe("metadata/arc-not-found");
    shelf.source.broken = true;
    expect((await viewer.post("/api/lists/import-arc", { arcId: 43 })).status).toBe(502);
    await shelf.host.disable("metadata");
    expect((await viewer.post("/api/lists/import-arc", { arcId: 43 })).status).toBe(503);
    expect((await viewer.get("/api/lists")).body).toEqual([]);
    expect(await shelf.host.use(Collection).listSeries({}, systemViewer)).toMatchObject({ total: 0 });
  });
});
