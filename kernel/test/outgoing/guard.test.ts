import type { IncomingMessage } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import os, { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../dist/outgoing/public-addresses.js";
import { goOut } from "./going-out.js";

const refused = { kind: "upstream", code: "kernel/address-not-public" };

describe("a URL that came from outside", () => {
  it.each([
    "localhost",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::192.168.0.1]",
    "[64:ff9b:1::808:808]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[ff02::1]",
    "[2001:db8::1]",
  ])("does not lead to %s", async (host) => {
    let asked = 0;
    await using out = await goOut((_, response) => void response.end(String((asked += 1))));
    await expect(
      out.fetch(`http://${host}:${out.port}/`, { publicOnly: true, timeoutMs: 5_000 }),
    ).rejects.toMatchObject(refused);
    expect(asked).toBe(0);
  });

  it("does not lead to this machine by its name", async () => {
    let asked = 0;
    await using out = await goOut((_, response) => void response.end(String((asked += 1))));
    for (const name of [hostname(), "localhost.", "reader.localhost"])
      await expect(
        out.fetch(`http://${name}:${out.port}/`, { publicOnly: true, timeoutMs: 5_000 }),
        name,
        // Not every system resolves these names.
      ).rejects.toMatchObject({ code: expect.stringMatching(/^kernel\/(address-not-public|server-unreachable)$/) });
    expect(asked).toBe(0);
  });

  it("does not lead to this machine and its neighbours where they have public addresses", async () => {
    const original = os.networkInterfaces;
    const own = (address: string, cidr: string) => ({ address, cidr, internal: false }) as os.NetworkInterfaceInfo;
    os.networkInterfaces = () => ({ wan: [own("8.8.8.8", "8.8.8.8/29"), own("2a00:1450::1", "2a00:1450::1/64")] });
    syncBuiltinESMExports();
    try {
      await using out = await goOut((_, response) => void response.end());
      for (const host of ["8.8.8.8", "8.8.8.9", "[2a00:1450::1]", "[2a00:1450::abcd]", "[::ffff:8.8.8.8]"])
        await expect(
          out.fetch(`http://${host}:${out.port}/`, { publicOnly: true, timeoutMs: 5_000 }),
          host,
        ).rejects.toMatchObject(refused);
    } finally {
      os.networkInterfaces = original;
      syncBuiltinESMExports();
    }
  });

  it("may lead to public addresses, in every form", () => {
    const forms = [
      "8.8.8.8",
      "1.1.1.1",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "2606:4700:4700::1111",
      "[2a00:1450::1]",
    ];
    expect(forms.filter((form) => !isPublicAddress(form))).toEqual([]);
  });

  it.each(["localhost", "127.0.0.0/8", "elsewhere.example, 127.0.0.1"])(
    "leads where an admin allows it: %s",
    async (list) => {
      await using out = await goOut((_, response) => void response.end("here"));
      const url = list === "localhost" ? `http://localhost:${out.port}/` : out.url;
      const ask = async () => (await out.fetch(url, { publicOnly: true })).text();
      await expect(ask()).rejects.toMatchObject(refused);
      const allow = (text: string) => out.host.as("admin").post("/api/settings", { server: { outgoingAllowed: text } });
      expect((await allow(list)).status).toBe(200);
      expect(await ask()).toBe("here");
      // Connections that are kept open are of no use once it is not allowed any more.
      await allow("");
      await expect(ask()).rejects.toMatchObject(refused);
      expect(await allow("127.1 !")).toMatchObject({ status: 400 });
    },
  );
});

describe("a redirect", () => {
  it("leads from a configured server to its own host, and elsewhere only to public addresses", async () => {
    await using out = await goOut(({ url, headers }, response) => {
      const port = headers.host!.split(":")[1];
      if (url === "/own") response.writeHead(302, { location: "/end" }).end();
      else if (url === "/inside") response.writeHead(302, { location: `http://localhost:${port}/end` }).end();
      else if (url === "/twice") response.writeHead(302, { location: "/inside" }).end();
      else response.end("the end");
    });
    const ask = async (path: string, options = {}) => {
      const answer = await out.fetch(out.url + path, options);
      return [answer.url.replace(/:\d+/, ""), await answer.text()];
    };
    expect(await ask("own")).toEqual(["http://127.0.0.1/end", "the end"]);
    await expect(ask("inside")).rejects.toMatchObject(refused);
    await expect(ask("twice")).rejects.toMatchObject(refused);
    expect(await ask("twice", { publicOnly: false })).toEqual(["http://localhost/end", "the end"]);
    await expect(ask("twice", { publicOnly: false, redirects: 1 })).rejects.toMatchObject({
      code: "kernel/redirect-refused",
    });
    expect((await out.fetch(`${out.url}own`, { redirect: "manual" })).status).toBe(302);
  });

  it("to another origin carries no credentials and no header of unknown meaning, and a POST becomes a GET", async () => {
    const seen: IncomingMessage[] = [];
    await using out = await goOut((request, response) => {
      seen.push(request);
      const port = request.headers.host!.split(":")[1];
      const [, status, place] = request.url!.split("/");
      if (place === undefined) return void response.end();
      const host = place === "same" ? "127.0.0.1" : "localhost";
      response.writeHead(Number(status), { location: `http://name:word@${host}:${port}/end` }).end();
    });
    const headers = {
      authorization: "Bearer s",
      cookie: "a=b",
      "x-api-key": "s",
      accept: "text/plain",
      "content-type": "text/plain",
    };
    const ask = async (path: string) => {
      await out.fetch(out.url + path, { method: "POST", body: "text", headers, publicOnly: false });
      const { method, headers: given } = seen.at(-1)!;
      return [method, given.authorization, given.cookie, given["x-api-key"], given.accept, given["content-length"]];
    };
    expect(await ask("302/same")).toEqual(["GET", "Bearer s", "a=b", "s", "text/plain", undefined]);
    expect(await ask("302/other")).toEqual(["GET", undefined, undefined, undefined, "text/plain", undefined]);
    expect(await ask("307/other")).toEqual(["POST", undefined, undefined, undefined, "text/plain", "4"]);
  });

  it("without end, or to something that is not the web, is refused", async () => {
    await using out = await goOut(({ url }, response) => {
      response.writeHead(302, { location: url === "/file" ? "file:///etc/passwd" : "/again" }).end();
    });
    await expect(out.fetch(`${out.url}file`)).rejects.toMatchObject({ code: "kernel/redirect-refused" });
    await expect(out.fetch(`${out.url}again`)).rejects.toMatchObject({ code: "kernel/redirect-refused" });
  });
});
