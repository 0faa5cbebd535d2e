import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { hasProgram, run, startShelf } from "./support.js";

it(
  "aria2 downloads an issue in four pieces at once, and finishes a download that broke off",
  needs(hasProgram("aria2c"), "aria2 is not installed"),
  async () => {
    await using shelf = await startShelf();
    const { host, folder } = shelf;
    const original = await readFile(join(folder, "library", "Moth Patrol (2019)", "Moth Patrol 001 (2019).cbz"));
    const [series] = (await host.as("viewer").get("/api/collection")).body;
    const { issues } = (await host.as("viewer").get(`/api/collection/${series.id}`)).body;
    const address = `${host.url}/api/opds/issue/${issues[0].cvIssueId}/file`;
    const common = [
      "--quiet",
      "--no-conf",
      "--async-dns=false",
      `--header=X-Api-Key: ${host.as("viewer").key}`,
      "--dir",
      folder,
    ];

    const whole = await run("aria2c", [
      ...common,
      "--split=4",
      "--max-connection-per-server=4",
      "--min-split-size=1M",
      "--piece-length=1M",
      "--out=whole.cbz",
      address,
    ]);
    expect(whole, whole.errors).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, "whole.cbz"))).toEqual(original);

    await writeFile(join(folder, "rest.cbz"), original.subarray(0, 5_000));
    const rest = await run("aria2c", [...common, "--continue=true", "--out=rest.cbz", address]);
    expect(rest, rest.errors).toMatchObject({ code: 0 });
    const file = await open(join(folder, "rest.cbz"));
    expect((await file.stat()).size).toBe(original.length);
    await file.close();
    expect(await readFile(join(folder, "rest.cbz"))).toEqual(original);
  },
);
