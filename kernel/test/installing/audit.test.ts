import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answering, Bench, install } from "../plugins/support.js";

describe("the audit trail", () => {
  it("keeps the last 1,000 entries, and not every one that there ever was", { timeout: 120_000 }, async () => {
    await using bench = await Bench.open();
    await bench.publish({ id: "switched", activate: answering("/api/switched", 1) });
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/switched");
    for (let round = 0; round < 1_080; round += 1)
      expect((await admin.post("/api/plugins/switched/enabled", { enabled: round % 2 === 1 })).status).toBe(200);
    const { body } = await admin.get("/api/plugins/audit?limit=1000");
    expect(body).toHaveLength(1_000);
    expect(body.slice(0, 2)).toMatchObject([{ action: "enable" }, { action: "disable" }]);
    const database = new DatabaseSync(join(host.dataFolder, "kernel", "database.sqlite"), { readOnly: true });
    const { rows } = database.prepare("select count(*) as rows from plugin_audit").get() as { rows: number };
    database.close();
    expect(rows).toBeGreaterThanOrEqual(1_000);
    expect(rows).toBeLessThan(1_050);
  });
});
