// Copies of backups in a folder and in a bucket of a real server with the interface of S3.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStrictStorage, type StrictStorage } from "./support/strict-storage.js";

const passphrase = "six white moths at night";
let root: string;
let storage: StrictStorage;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "longbox-copies-"));
  storage = await startStrictStorage(join(root, "s3"));
});

afterAll(async () => {
  await storage.close();
  await rm(root, { recursive: true, force: true });
});

const bucket = () => ({
  copyTo: "s3",
  s3Url: storage.url,
  s3Bucket: "kept",
  s3Prefix: "longbox/",
  s3KeyId: "S3RVER",
  s3Secret: "S3RVER",
});

async function startWith(operations: Record<string, unknown>): Promise<TestHost> {
  return startTestHost({ plugins: ["operations"], storage: "sqlite", settings: { operations } });
}

async function backUp(host: TestHost): Promise<{ state: string; message?: string; error?: string }> {
  const { jobId } = (await host.as("admin").post("/api/tools/backup", {})).body;
  for (;;) {
    const { body } = await host.as("admin").get(`/api/jobs/${jobId}`);
    if (["done", "failed", "cancelled"].includes(body.state)) return body;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const copiesOf = async (host: TestHost): Promise<Array<{ name: string; sizeBytes: number }>> =>
  (await host.as("admin").get("/api/backup-copies")).body;
const finding = async (host: TestHost) =>
  (await host.as("admin").get("/api/health/checks")).body.find(
    ({ id }: { id: string }) => id === "operations.backup-copies",
  );

it("copies nothing unless the settings name a place", async () => {
  await using host = await startWith({});
  expect(await backUp(host)).toMatchObject({ state: "done", message: expect.not.stringContaining("copied") });
  expect(await copiesOf(host)).toEqual([]);
  expect(await finding(host)).toBeUndefined();
  const refused = await host.as("admin").post("/api/backup-copies/longbox-x.tar.gz/bring-back");
  expect(refused).toMatchObject({ status: 409, body: { code: "operations/no-copy-place" } });
});

it("copies each backup to a folder, keeps what the settings say, and leaves other files alone", async () => {
  const folder = join(root, "folder");
  await mkdir(folder);
  await writeFile(join(folder, "holiday.jpg"), "not ours");
  await writeFile(join(folder, "longbox-2020-01-01T00-00-00-000Z.tar.gz"), "an old one");
  await using host = await startWith({ copyTo: "folder", copyFolder: folder, copyKeep: 2, copyKeepDays: 30 });
  const first = await backUp(host);
  expect(first).toMatchObject({ state: "done", message: expect.stringMatching(`copied to ${folder}$`) });
  // The old one was within the number, and beyond the age.
  expect(await copiesOf(host)).toHaveLength(1);
  for (let round = 0; round < 2; round += 1) await backUp(host);
  const copies = await copiesOf(host);
  expect((await readdir(folder)).sort()).toEqual(["holiday.jpg", ...copies.map(({ name }) => name)].sort());
  expect(copies).toHaveLength(2);
  expect(await finding(host)).toMatchObject({ level: "ok" });

  const { name } = copies[0]!;
  const kept = join(host.dataFolder, "backups", name);
  expect(await readFile(join(folder, name))).toEqual(await readFile(kept));
});

it("tells of a folder that is gone, keeps the backup, and copies again once it is back", async () => {
  const folder = join(root, "unmounted");
  await using host = await startWith({ copyTo: "folder", copyFolder: folder });
  expect(await backUp(host)).toMatchObject({ state: "failed", error: expect.stringContaining("no such folder") });
  expect((await host.as("admin").get("/api/backups")).body).toHaveLength(1);
  expect(await finding(host)).toMatchObject({
    level: "error",
    advice: expect.stringContaining("no such folder"),
    link: { path: "/settings#operations" },
  });
  await mkdir(folder);
  expect(await backUp(host)).toMatchObject({ state: "done" });
  expect(await finding(host)).toMatchObject({ level: "ok" });
});

it("copies to a bucket, encrypted and in parts, and brings a copy back to a server that has lost its own", async () => {
  await using host = await startWith({ ...bucket(), copyPassphrase: passphrase });
  // Does not get smaller when it is packed: more than one part of 16 MB.
  const file = join(host.dataFolder, "plugins/store/large");
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, randomBytes(20_000_000));
  const job = await backUp(host);
  expect(job).toMatchObject({
    state: "done",
    message: expect.stringMatching(/copied to 127\.0\.0\.1:\d+\/kept\/longbox\/$/),
  });
  const [copy] = await copiesOf(host);
  expect(copy).toMatchObject({ name: expect.stringMatching(/\.tar\.gz\.age$/) });
  expect(copy!.sizeBytes).toBeGreaterThan(20_000_000);

  const admin = host.as("admin");
  const [kept] = (await admin.get("/api/backups")).body;
  expect((await admin.delete(`/api/backups/${kept.name}`)).status).toBe(200);
  const back = await admin.post(`/api/backup-copies/${copy!.name}/bring-back`);
  expect(back).toMatchObject({ status: 201, body: { sizeBytes: kept.sizeBytes } });
  expect((await admin.post(`/api/backups/${back.body.name}/check`)).status).toBe(200);
  expect(await admin.post("/api/backup-copies/longbox-none.tar.gz/bring-back")).toMatchObject({
    status: 404,
    body: { code: "operations/no-such-copy" },
  });

  await admin.post("/api/settings", { operations: { copyPassphrase: "another one" } });
  expect(await admin.post(`/api/backup-copies/${copy!.name}/bring-back`)).toMatchObject({
    status: 400,
    body: { code: "kernel/backup-passphrase-wrong" },
  });
});

it("signs every kind of request as Amazon's own signer does", () => {
  const kinds = [
    /^GET \/kept\/\?list-type=2&prefix=longbox%2F$/,
    /^POST \/kept\/longbox\/[\w.-]+\?uploads=$/,
    /^PUT \/kept\/longbox\/[\w.-]+\?partNumber=2&uploadId=\w+$/,
    /^POST \/kept\/longbox\/[\w.-]+\?uploadId=\w+$/,
    /^GET \/kept\/longbox\/[\w.-]+$/,
  ];
  const seen = storage.requests.map(({ what }) => what);
  expect(kinds.filter((kind) => !seen.some((what) => kind.test(what)))).toEqual([]);
  expect(storage.requests.filter(({ isValid }) => !isValid)).toEqual([]);
});

it("tries the values of the form before they are saved, and says what is wrong with them", async () => {
  await using host = await startWith({});
  const admin = host.as("admin");
  const test = async (values?: Record<string, unknown>) => (await admin.post("/api/backup-copies/test", values)).body;
  const before = await readdir(join(storage.folder, "longbox")).catch(() => []);
  expect(await test(bucket())).toEqual({ ok: true, message: expect.stringContaining("can be written to and read") });
  expect(await readdir(join(storage.folder, "longbox")).catch(() => [])).toEqual(before);
  expect(await test()).toMatchObject({ ok: false, message: expect.stringContaining("no place") });
  expect(await test({ ...bucket(), s3KeyId: "stranger" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("InvalidAccessKeyId"),
  });
  expect(await test({ ...bucket(), s3Secret: "wrong" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("SignatureDoesNotMatch"),
  });
  expect(await test({ ...bucket(), s3Bucket: "missing" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("NoSuchBucket"),
  });
  expect(await test({ ...bucket(), s3Bucket: "" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("s3Bucket: is needed"),
  });
  expect(await test({ ...bucket(), s3Url: "http://127.0.0.1:9" })).toMatchObject({ ok: false });
  expect(await test({ copyTo: "folder", copyFolder: "backups" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("absolute path"),
  });

  const other = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<p>Hello"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  expect(await test({ ...bucket(), s3Url: `http://127.0.0.1:${port}` })).toMatchObject({ ok: false });
  await new Promise((resolve) => other.close(resolve));
});
