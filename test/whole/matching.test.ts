import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestClient } from "@longbox/sdk/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { Provider } from "../../plugins/metadata/test/support/provider.js";

const plan = { title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 4 };

/** Waits for a state; the test's own time limit ends it otherwise. */
async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function scanned(
  admin: TestClient,
  root: string,
): Promise<{ id: number; issues: Array<{ cvIssueId: number; number: string }> }> {
  expect(await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root })).toMatchObject({
    status: 200,
  });
  const [series] = await until(
    async () => (await admin.get("/api/collection")).body,
    (rows) => rows[0]?.owned === 2,
  );
  return (await admin.get(`/api/collection/${series.id}`)).body;
}

it("keeps reading progress and the first id of an issue when its series is matched to the provider", async () => {
  await using provider = await Provider.start();
  provider.add({
    id: 5001,
    name: "Moth Patrol",
    start_year: "2019",
    publisher: "Lamplight",
    issues: [
      { id: 901, issue_number: "1" },
      { id: 902, issue_number: "2" },
      { id: 903, issue_number: "3" },
    ],
  });
  const root = await mkdtemp(join(tmpdir(), "longbox-matching-"));
  try {
    await writeLibrary(root, [plan]);
    await using host = await startTestHost({
      plugins: ["operations", "imaging", "collection", "metadata", "files", "comics", "reading", "reader"],
      settings: { metadata: provider.settings },
    });
    const admin = host.as("admin");
    const series = await scanned(admin, root);
    const first = series.issues.find((issue) => issue.number === "1")!;
    expect(first.cvIssueId).toBeLessThan(0);
    await admin.post(`/api/reader/issue/${first.cvIssueId}/progress`, { page: 2, pages: 4, completed: false });

    expect(await admin.post(`/api/collection/${series.id}/cv`, { providerId: 5001 })).toMatchObject({ status: 200 });

    const matched = (await admin.get(`/api/collection/${series.id}`)).body;
    expect(matched).toMatchObject({ cvId: 5001, matched: true, owned: 2, missing: 1 });
    expect(matched.issues.map((issue: { cvIssueId: number }) => issue.cvIssueId)).toEqual([901, 902, 903]);
    expect((await admin.get("/api/reader/continue")).body.items).toMatchObject([
      { cvIssueId: 901, progress: { page: 2, completed: false } },
    ]);
    expect((await admin.get("/api/reader/issue/901")).body).toMatchObject({ pageCount: 4, progress: { page: 2 } });
    expect((await admin.get(`/api/reader/issue/${first.cvIssueId}`)).body).toMatchObject({
      cvIssueId: 901,
      progress: { page: 2 },
    });
    expect((await admin.get("/api/reader/issue/903")).status).toBe(404);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
