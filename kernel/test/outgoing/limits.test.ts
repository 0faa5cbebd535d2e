import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { StreamedAnswer, StreamOptions } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { goOut } from "./going-out.js";

const code = (name: string) => ({ kind: "upstream", code: name });

describe("a body", () => {
  it("is not read beyond its limit, whether its length was said, hidden by compression, or not said at all", async () => {
    let sent = 0;
    await using out = await goOut(({ url }, response) => {
      if (url === "/said") response.writeHead(200, { "content-length": 5_000 }).end(Buffer.alloc(5_000));
      else if (url === "/packed")
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
      else {
        const timer = setInterval(() => response.write(Buffer.alloc(1_000)) && (sent += 1_000), 1);
        response.once("close", () => clearInterval(timer));
      }
    });
    const read = async (path: string) => (await out.fetch(out.url + path, { maxBytes: 4_000 })).arrayBuffer();
    await expect(read("said")).rejects.toMatchObject(code("kernel/answer-too-large"));
    await expect(read("packed")).rejects.toMatchObject(code("kernel/answer-too-large"));
    await expect(read("endless")).rejects.toMatchObject(code("kernel/answer-too-large"));
    expect(sent).toBeLessThan(1_000_000);
    expect((await (await out.fetch(`${out.url}said`, { maxBytes: 5_000 })).arrayBuffer()).byteLength).toBe(5_000);
  });

  it("has a limit when none was named", async () => {
    await using out = await goOut((_, response) => void response.end(Buffer.alloc(17 * 1024 * 1024)));
    await expect(out.fetch(out.url).then((answer) => answer.bytes())).rejects.toMatchObject(
      code("kernel/answer-too-large"),
    );
  });

  it("must end in time, also when it comes drop by drop", async () => {
    let drops = 0;
    await using out = await goOut(({ url }, response) => {
      if (url !== "/drops") return;
      const timer = setInterval(() => {
        response.write(".");
        drops += 1;
      }, 20);
      response.once("close", () => clearInterval(timer));
    });
    const late = code("kernel/fetch-timeout");
    await expect(out.fetch(`${out.url}silent`, { timeoutMs: 150 })).rejects.toMatchObject(late);
    const dripping = out.fetch(`${out.url}drops`, { timeoutMs: 3_000 }).then((answer) => answer.text());
    await expect(dripping).rejects.toMatchObject(late);
    expect(drops).toBeGreaterThan(0);
  });
});

describe("a body that is read as it comes", () => {
  const readAll = async (answer: StreamedAnswer) => {
    const chunks = [];
    for await (const chunk of answer.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it("comes whole, decompressed, with its status and headers, after redirects", async () => {
    const bytes = randomBytes(3_000_000);
    await using out = await goOut(({ url, headers }, response) => {
      if (url === "/moved") response.writeHead(302, { location: "/bytes" }).end("elsewhere");
      else if (url === "/packed") response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(bytes));
      else if (url === "/gone") response.writeHead(404).end("gone");
      else response.writeHead(200, { "x-asked-for": headers["accept-encoding"] ?? "" }).end(bytes);
    });
    const stream = (path: string) => out.context.host(out.url).stream(out.url + path);
    const moved = await stream("moved");
    expect(moved).toMatchObject({ status: 200, url: `${out.url}bytes` });
    expect(moved.headers.get("x-asked-for")).toBe("identity");
    expect((await readAll(moved)).equals(bytes)).toBe(true);
    expect((await readAll(await stream("packed"))).equals(bytes)).toBe(true);
    const gone = await stream("gone");
    expect([gone.status, (await readAll(gone)).toString()]).toEqual([404, "gone"]);
  });

  it("has the limits of the others: length, time, redirects, addresses, and silence", async () => {
    await using out = await goOut(({ url }, response) => {
      if (url === "/said") response.writeHead(200, { "content-length": 5_000 }).end(Buffer.alloc(5_000));
      else if (url === "/packed")
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
      else if (url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else if (url === "/begun") response.writeHead(200).write("begun");
      else if (url === "/broken") {
        response.writeHead(200, { "content-length": 100 }).write("begun");
        setTimeout(() => response.destroy(), 20);
      }
    });
    const read = async (path: string, options: StreamOptions = {}) =>
      readAll(await out.context.host("http://fresh.test").stream(out.url + path, { maxBytes: 4_000, ...options }));
    await expect(read("said")).rejects.toMatchObject(code("kernel/answer-too-large"));
    await expect(read("packed")).rejects.toMatchObject(code("kernel/answer-too-large"));
    await expect(read("loop")).rejects.toMatchObject(code("kernel/redirect-refused"));
    await expect(read("said", { publicOnly: true })).rejects.toMatchObject(code("kernel/address-not-public"));
    await expect(read("begun", { timeoutMs: 200 })).rejects.toMatchObject(code("kernel/fetch-timeout"));
    await expect(read("begun", { quietMs: 1_000 })).rejects.toMatchObject(code("kernel/fetch-timeout"));
    await expect(read("broken")).rejects.toMatchObject(code("kernel/server-unreachable"));
    const reason = new Error("enough");
    await expect(read("silent", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("a server that cannot be reached", () => {
  it("is a failure with a code, and one that breaks off as well", async () => {
    await using out = await goOut((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("begun");
      setTimeout(() => response.destroy(), 20);
    });
    const away = code("kernel/server-unreachable");
    await expect(out.fetch("http://127.0.0.1:9/")).rejects.toMatchObject(away);
    await expect(out.fetch(out.url).then((answer) => answer.text())).rejects.toMatchObject(away);
  });

  it("ends with the plugin", async () => {
    await using out = await goOut(() => undefined);
    const asking = out.fetch(out.url).catch((fault: unknown) => fault);
    await out.host.disable("fetcher");
    expect(await asking).toMatchObject({ code: "kernel/plugin-stopped" });
    await expect(out.fetch(out.url)).rejects.toMatchObject({ code: "kernel/plugin-stopped" });
  });
});
