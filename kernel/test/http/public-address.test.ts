import { request } from "node:http";
import { text } from "node:stream/consumers";
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";

const plugin = definePlugin({
  activate: (_, context) =>
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/where",
        access: "public",
        summary: "Says its own address",
        handle: ({ url }) => ({ link: new URL("/api/where/else", url).href, own: url.href }),
      }),
    ]),
});

const start = (publicUrl: string) =>
  startTestHost({
    plugins: [{ manifest: { id: "where", title: "Where", description: "", sdk: "^1.0.0" }, plugin }],
    settings: { server: { publicUrl } },
  });

/** What the route says when it is asked for with another `Host`. */
async function asked(host: TestHost, name: string): Promise<{ own: string; link: string }> {
  const { hostname, port } = new URL(host.url);
  const sent = request({ hostname, port, path: "/api/where?a=b", headers: { host: name }, agent: false });
  return new Promise((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (answer) => void text(answer).then((body) => resolve(JSON.parse(body)), reject));
    sent.end();
  });
}

describe("links to the server", () => {
  it("begin with the public address, whatever host is asked for", async () => {
    await using host = await start("https://books.example.org/library/");
    for (const name of ["localhost", "evil.example", "evil.example:1"])
      expect(await asked(host, name)).toMatchObject({ own: "https://books.example.org/library/api/where?a=b" });
  });

  it("begin without one with the host that is asked for, if it can be one", async () => {
    await using host = await start("");
    const origin = async (name: string) => new URL((await asked(host, name)).own).origin;
    expect(await origin("books.lan:8080")).toBe("http://books.lan:8080");
    expect(await origin("[::1]:8080")).toBe("http://[::1]:8080");
    for (const name of [
      "a b",
      "evil.example/path",
      "me@evil.example",
      "host:99999",
      "-",
      "x".repeat(300),
      '"><script>',
    ])
      expect([name, await origin(name)]).toEqual([name, "http://localhost"]);
  });
});
