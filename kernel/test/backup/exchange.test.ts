// Backups that leave the data folder and come back, in one piece, encrypted, and in pieces.
import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestHost } from "@longbox/sdk/testing";
import { Decrypter } from "age-encryption";
import { expect, it } from "vitest";
import { BackupExchange, Backups } from "../../dist/backup/index.js";
import { keepingLog, openStoring, temporaryFolder } from "../storage/storage-folder.js";

const passphrase = "six white moths at night";
const program = join(import.meta.dirname, "../../dist/bin/longbox.js");

async function openExchange() {
  const opened = await openStoring("sqlite");
  const backups = new Backups({
    folder: opened.folder,
    storing: opened.storing,
    settings: { current: { keep: 9, keepDays: 0 } },
    log: keepingLog(),
    version: "1.2.3",
  });
  await writeFile(join((await opened.storing.open("shelves")).folder, "kept.txt"), "kept by shelves");
  return {
    ...opened,
    backups,
    exchange: new BackupExchange(opened.folder, backups),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

it("reads a kept backup plain or encrypted, checks it elsewhere, and takes it back under its time", async () => {
  await using server = await openExchange();
  const { name, sizeBytes } = await server.backups.create();
  const plain = await bytesOf(await server.exchange.read(name));
  expect(plain).toEqual(await readFile(join(server.backups.folder, name)));
  const sealed = await bytesOf(await server.exchange.read(name, { passphrase }));
  expect(sealed.includes(plain.subarray(100, 200))).toBe(false);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  expect(Buffer.from(await decrypter.decrypt(new Uint8Array(sealed)))).toEqual(plain);

  const told = await server.exchange.check(once(sealed), { passphrase });
  expect(told).toMatchObject({ version: "1.2.3" });
  await server.backups.remove(name);
  const taken = await server.exchange.take(once(sealed), { passphrase });
  expect(taken).toMatchObject({ sizeBytes, createdAt: told.createdAt });
  expect(await server.backups.check(taken.name)).toEqual(told);
  expect(await readdir(server.backups.folder)).toEqual([taken.name]);
});

it.each([
  ["without its passphrase", {}, "kernel/backup-passphrase-needed"],
  ["with another passphrase", { passphrase: "five white moths" }, "kernel/backup-passphrase-wrong"],
  ["cut short", { passphrase, cut: 40 }, "kernel/backup-damaged"],
  ["changed by a bit", { passphrase, changed: true }, "kernel/backup-damaged"],
  ["that is none", { passphrase, none: true }, "kernel/backup-damaged"],
] as const)("refuses an encrypted backup %s, and leaves nothing behind", async (_, flaw, code) => {
  await using server = await openExchange();
  const { name } = await server.backups.create();
  let sealed = await bytesOf(await server.exchange.read(name, { passphrase }));
  if ("cut" in flaw) sealed = sealed.subarray(0, -flaw.cut);
  if ("changed" in flaw) sealed[sealed.byteLength - 100]! ^= 1;
  if ("none" in flaw) sealed = Buffer.from("not a backup");
  await expect(server.exchange.take(once(sealed), flaw)).rejects.toMatchObject({ kind: "bad-input", code });
  expect(await readdir(server.backups.folder)).toEqual([name]);
  expect(await readdir(join(server.folder, "temporary"))).toEqual([]);
});

it("restores an encrypted backup from the command line, with the passphrase of the environment", async () => {
  await using server = await openExchange();
  await using other = await temporaryFolder();
  const { name } = await server.backups.create();
  const file = join(other.path, "sealed.tar.gz.age");
  await writeFile(file, await bytesOf(await server.exchange.read(name, { passphrase })));
  const restore = (word: string) =>
    promisify(execFile)(process.execPath, [program, "restore", file], {
      env: { ...process.env, LONGBOX_DATA: join(other.path, "data"), LONGBOX_BACKUP_PASSPHRASE: word },
    });
  await expect(restore("")).rejects.toMatchObject({ stderr: expect.stringMatching(/its passphrase is needed/) });
  await expect(restore("wrong")).rejects.toMatchObject({ stderr: expect.stringMatching(/with this passphrase/) });
  expect(await readdir(other.path)).toEqual(["sealed.tar.gz.age"]);
  expect((await restore(passphrase)).stderr).toMatch(/restored \d+ files/);
  expect((await readdir(other.path)).sort()).toEqual(["data", "sealed.tar.gz.age"]);
  expect(await readdir(join(other.path, "data"))).toContain("plugins");
});

it("takes an upload in pieces, and says where to go on", async () => {
  await using old = await startTestHost({ plugins: [], storage: "sqlite" });
  await using host = await startTestHost({ plugins: [], storage: "sqlite" });
  const { name } = (await old.as("admin").post("/api/backup")).body;
  const bytes = await bytesOf(createReadStream(join(old.dataFolder, "backups", name)));
  const half = Math.floor(bytes.byteLength / 2);
  const send = async (piece: Uint8Array, offset: number | string) => {
    const answer = await fetch(`${host.url}/api/backup-upload?offset=${offset}`, {
      method: "PUT",
      headers: { "X-Api-Key": host.as("admin").key!, "content-type": "application/octet-stream" },
      body: new Uint8Array(piece),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const admin = host.as("admin");
  expect(await admin.post("/api/backup-upload", {})).toMatchObject({ status: 409, body: { code: "kernel/no-upload" } });
  expect(await send(bytes.subarray(0, half), 0)).toEqual({ status: 200, body: { receivedBytes: half } });
  expect(await admin.post("/api/backup-upload", {})).toMatchObject({
    status: 400,
    body: { code: "kernel/backup-damaged" },
  });
  expect(await send(bytes.subarray(half), half + 1)).toMatchObject({ status: 409, body: { details: { there: half } } });
  expect(await send(bytes.subarray(half), "soon")).toMatchObject({
    status: 400,
    body: { details: { offset: expect.any(String) } },
  });
  expect(await send(bytes.subarray(half), half)).toMatchObject({ body: { receivedBytes: bytes.byteLength } });
  const taken = await admin.post("/api/backup-upload", {});
  expect(taken).toMatchObject({ status: 201, body: { sizeBytes: bytes.byteLength } });
  expect((await admin.get("/api/backups")).body).toEqual([taken.body]);
  expect((await admin.post(`/api/backups/${taken.body.name}/check`)).body).toMatchObject({ files: expect.any(Number) });
  expect((await host.as("trusted").post("/api/backup-upload", {})).status).toBe(403);
});
