import { link, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secretSetting } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Settings } from "../../dist/settings/index.js";
import { keepingLog, temporaryFolder } from "../storage/storage-folder.js";

const server = z.object({
  name: z.string().min(1).default("Longbox").meta({ title: "Name" }),
  port: z.number().int().min(1).default(80).meta({ title: "Port", description: "Where it listens" }),
  key: secretSetting({ title: "Key" }),
  sites: z
    .array(z.object({ id: z.string(), url: z.string(), password: secretSetting({ title: "Password" }) }))
    .default([])
    .meta({ title: "Sites" }),
});
const reader = z.object({ dark: z.boolean().default(false).meta({ title: "Dark" }) });

async function openSettings() {
  const folder = await temporaryFolder();
  const log = keepingLog();
  const settings = await Settings.open({ folder: folder.path, log });
  return {
    folder: folder.path,
    file: join(folder.path, "settings.json"),
    log,
    settings,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("settings", () => {
  it("answer every open group with its defaults", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    opened.settings.open("reader", reader);
    expect(opened.settings.read()).toEqual({
      reader: { dark: false },
      server: { name: "Longbox", port: 80, key: "", sites: [] },
    });
  });

  it("are kept over a restart, in a file that only the owner can read", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    await opened.settings.update({ server: { port: 8080 } });
    const again = await Settings.open({ folder: opened.folder, log: opened.log });
    expect(again.open("server", server).current.port).toBe(8080);
    expect((await stat(opened.file)).mode & 0o777).toBe(0o600);
  });

  it("change all or nothing, over all groups, and name each field that does not fit", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    const dark = opened.settings.open("reader", reader);
    const refused = opened.settings.update({
      reader: { dark: true, light: 1 },
      server: { port: "many", name: "" },
      shelves: { a: 1 },
    });
    await expect(refused).rejects.toMatchObject({
      kind: "bad-input",
      code: "kernel/settings-do-not-fit",
      details: {
        "reader.light": "There is no such setting.",
        "server.port": expect.any(String),
        "server.name": expect.any(String),
        shelves: "There is no such group of settings.",
      },
    });
    expect(dark.current).toEqual({ dark: false });
    expect(await readdir(opened.folder)).toEqual([]);
  });

  it("mask secrets, at every depth, and keep them when the mask comes back", async () => {
    await using opened = await openSettings();
    const live = opened.settings.open("server", server);
    const sites = [
      { id: "a", url: "http://a", password: "alpha" },
      { id: "b", url: "http://b", password: "beta" },
    ];
    const shown = await opened.settings.update({ server: { key: "hunter2", sites } });
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|alpha|beta/);
    expect(shown["server"]).toMatchObject({
      key: "********",
      sites: [{ password: "********" }, { password: "********" }],
    });
    const [first, second] = (shown["server"] as { sites: object[] }).sites;
    await opened.settings.update({ server: { ...shown["server"], name: "Mine", sites: [second, first] } });
    expect(live.current).toMatchObject({
      name: "Mine",
      key: "hunter2",
      sites: [
        { id: "b", password: "beta" },
        { id: "a", password: "alpha" },
      ],
    });
    await opened.settings.update({ server: { key: "" } });
    expect(live.current.key).toBe("");
  });

  it("take every secret that is set out of a value, however it is written", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    const [former, key] = ["an old one", 'q&a "x" y'];
    await opened.settings.update({ server: { key: former } });
    expect(opened.settings.withoutSecrets([former])).toEqual(["********"]);
    await opened.settings.update({ server: { key, sites: [{ id: "a", url: "", password: "pass-of-a" }] } });
    const leaked = {
      [key]: key,
      deep: [`?k=${encodeURIComponent(key)}&${new URLSearchParams({ key })}`, JSON.stringify({ key }), "pass-of-a!"],
      number: 7,
      former,
    };
    expect(opened.settings.withoutSecrets(leaked)).toEqual({
      "********": "********",
      deep: ["?k=********&key=********", '{"key":"********"}', "********!"],
      number: 7,
      former,
    });
  });

  it("tell the listeners what changed, and send no event without a change", async () => {
    await using opened = await openSettings();
    const live = opened.settings.open("server", server);
    const heard: unknown[] = [];
    live.onChange(() => {
      throw new Error("a careless listener");
    });
    const listening = live.onChange((next, previous) => heard.push([previous.port, next.port]));
    await opened.settings.update({ server: { port: 81 } });
    await opened.settings.update({ server: { port: 81 } });
    await listening.release();
    await opened.settings.update({ server: { port: 82 } });
    expect(heard).toEqual([[80, 81]]);
    expect(opened.log.lines).toMatchObject([{ level: "error" }, { level: "error" }]);
  });

  it("fall back to the default for a stored value that no longer fits, and report it", async () => {
    await using opened = await openSettings();
    await opened.settings.preset({ server: { port: 99, name: 7, gone: true } });
    const live = opened.settings.open("server", server);
    expect(live.current).toMatchObject({ port: 99, name: "Longbox" });
    expect(opened.log.lines).toMatchObject([{ level: "warn", fields: { setting: "server.name" } }]);
    await opened.settings.update({ server: { port: 100 } });
    expect(live.current.port).toBe(100);
  });

  it("keep an unreadable file aside and report it", async () => {
    await using opened = await openSettings();
    await writeFile(opened.file, "not json");
    const again = await Settings.open({ folder: opened.folder, log: opened.log });
    expect(again.open("server", server).current.port).toBe(80);
    await again.update({ server: { port: 5 } });
    const aside = (await readdir(opened.folder)).filter((name) => name.includes("unreadable"));
    expect(await readFile(join(opened.folder, aside[0] as string), "utf8")).toBe("not json");
    expect(opened.log.lines[0]).toMatchObject({ level: "error" });
  });

  it("leave no half-written text, which may hold secrets, of a server that was killed", async () => {
    await using opened = await openSettings();
    const leftover = (name: string) => join(opened.folder, name);
    const killed = [".settings.json.0b0b.new", "settings.json.bak.0c0c.new"];
    const others = [".settings.json.0d0d.new", "notes.new", "settings.json.unreadable-2026"];
    for (const name of [...killed, ...others]) await writeFile(leftover(name), '{"server":{"key":"secret"}}');
    const longAgo = new Date(Date.now() - 86_400_000);
    for (const name of [...killed, ...others.slice(1)]) await utimes(leftover(name), longAgo, longAgo);
    await Settings.open({ folder: opened.folder, log: opened.log });
    expect((await readdir(opened.folder)).sort()).toEqual([...others].sort());
  });

  it("keep the text before the last change, also after a kill while it was kept", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    const backup = `${opened.file}.bak`;
    for (const port of [1, 2]) await opened.settings.update({ server: { port } });
    // As a kill leaves it: the present text is the one before the last change already.
    await rm(backup);
    await link(opened.file, backup);
    for (const [port, before] of [
      [3, 2],
      [4, 3],
    ]) {
      await opened.settings.update({ server: { port } });
      expect(JSON.parse(await readFile(opened.file, "utf8"))).toEqual({ server: { port } });
      expect(JSON.parse(await readFile(backup, "utf8"))).toEqual({ server: { port: before } });
      expect((await stat(backup)).mode & 0o777).toBe(0o600);
      expect((await readdir(opened.folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
    }
  });

  it("go by the newest schema while a group is open twice, and by the older one again once that is released", async () => {
    await using opened = await openSettings();
    const old = opened.settings.open("reader", reader);
    const next = opened.settings.open(
      "reader",
      reader.extend({ speed: z.number().default(1).meta({ title: "Speed" }) }),
    );
    await opened.settings.update({ reader: { speed: 3, dark: true } });
    expect([old.current, next.current]).toEqual([{ dark: true }, { dark: true, speed: 3 }]);
    await next.release();
    await expect(opened.settings.update({ reader: { speed: 4 } })).rejects.toMatchObject({ kind: "bad-input" });
    await old.release();
    expect(opened.settings.read()).toEqual({});
  });

  it("leave nothing of a purged group", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    await opened.settings.update({ server: { key: "sentinel" } });
    const holders = async () => {
      const texts = await Promise.all(
        (await readdir(opened.folder)).map((name) => readFile(join(opened.folder, name), "utf8")),
      );
      return texts.filter((text) => text.includes("sentinel")).length;
    };
    expect(await holders()).toBeGreaterThan(0);
    await opened.settings.purge("server");
    expect(await holders()).toBe(0);
  });

  it("take no group or field from the prototype of objects", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    for (const change of [
      '{"__proto__":{"port":1}}',
      '{"constructor":{"name":"x"}}',
      '{"server":{"__proto__":{"port":1}}}',
      '{"server":{"toString":1}}',
    ]) {
      await expect(opened.settings.update(JSON.parse(change))).rejects.toMatchObject({ kind: "bad-input" });
    }
  });

  it("describe themselves as JSON Schema with labels", async () => {
    await using opened = await openSettings();
    opened.settings.open("server", server);
    expect(opened.settings.schema()).toMatchObject({
      type: "object",
      properties: {
        server: {
          type: "object",
          properties: {
            port: { type: "integer", title: "Port", description: "Where it listens", default: 80 },
            key: { title: "Key", secret: true },
          },
        },
      },
    });
  });
});
