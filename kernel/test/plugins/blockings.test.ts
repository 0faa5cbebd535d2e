import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDocument } from "../../dist/storage/index.js";
import { Blockings, blockingsSchema } from "../../dist/plugins/containment/blockings.js";
import { describeCause, RequestCause } from "../../dist/plugins/containment/request-cause.js";
import { keepingLog, temporaryFolder } from "../storage/storage-folder.js";

function request(input: string, address: string, account?: number, route = "wild"): RequestCause {
  const cause = new RequestCause(input, address, { route, traceparent: undefined });
  cause.account = account;
  return cause;
}

const open = async (folder: string) =>
  new Blockings(await openDocument(join(folder, "blockings.json"), blockingsSchema, keepingLog()));

describe("requests that held the server up", () => {
  it("are refused, also after a restart: an address to all users, a body to those who sent one", async () => {
    await using folder = await temporaryFolder();
    const first = await open(folder.path);
    first.add("wild", describeCause(request("GET /api/wild?key=secret", "203.0.113.1", 5)));
    first.add("wild", describeCause(request("POST /api/wild", "203.0.113.1", 5)));
    await first.save();
    const blockings = await open(folder.path);
    const code = (cause: RequestCause) => blockings.refusal(cause)?.code;
    expect(code(request("GET /api/wild?key=secret", "198.51.100.7", 6))).toBe("kernel/input-refused");
    expect(code(request("HEAD /api/wild?key=secret", "198.51.100.7"))).toBe("kernel/input-refused");
    expect(code(request("GET /api/wild", "203.0.113.1", 5))).toBeUndefined();
    expect(code(request("POST /api/wild", "198.51.100.7", 5))).toBe("kernel/input-refused");
    expect(code(request("POST /api/wild", "203.0.113.1", 6))).toBeUndefined();
    expect(code(request("POST /api/wild", "203.0.113.1", 5, "calm"))).toBeUndefined();
    await blockings.forgive("wild");
    expect(code(request("POST /api/wild", "203.0.113.1", 5))).toBeUndefined();
  });

  it("never suffice against a plugin when they come from one requester, one network or with one input", async () => {
    await using folder = await temporaryFolder();
    const blockings = await open(folder.path);
    const add = (plugin: string, input: string, address: string, account: number) =>
      blockings.add(plugin, describeCause(request(input, address, account)));
    for (let index = 0; index < 30; index += 1) {
      expect(add("a", `GET /${index}`, `203.0.113.${index}`, 1)).toBe(false);
      expect(add("b", `GET /${index}`, "203.0.113.1", index)).toBe(false);
      expect(add("c", "GET /", `203.0.113.${index}`, index)).toBe(false);
    }
    expect(add("d", "GET /1", "203.0.113.1", 1)).toBe(false);
    expect(add("d", "GET /2", "203.0.113.2", 2)).toBe(false);
    expect(add("d", "GET /3", "203.0.113.2", 3)).toBe(true);
  });

  it("keep a requester away from the plugin after the third, for as long as it says", async () => {
    await using folder = await temporaryFolder();
    const blockings = await open(folder.path);
    const next = () => blockings.refusal(request("GET /next", "203.0.113.9", 5));
    for (let index = 0; index < 3; index += 1) {
      expect(next()).toBeUndefined();
      blockings.add("wild", describeCause(request(`GET /${index}`, "203.0.113.1", 5)));
    }
    expect(next()).toMatchObject({ kind: "too-many-requests", code: "kernel/requester-refused" });
    const seconds = next()!.retryAfterSeconds!;
    expect([seconds > 3_000, seconds <= 3_600]).toEqual([true, true]);
    expect(blockings.refusal(request("GET /next", "203.0.113.1", 6))).toBeUndefined();
    expect(blockings.refusal(request("GET /next", "203.0.113.1", 5, "calm"))).toBeUndefined();
  });

  it("are refused at the route that was asked, where another plugin did the work, until that one is forgiven", async () => {
    await using folder = await temporaryFolder();
    const blockings = await open(folder.path);
    const asked = (index: number) => request(`GET /api/shelf/${index}`, "203.0.113.1", 5, "shelf");
    for (let index = 0; index < 3; index += 1) blockings.add("wild", describeCause(asked(index)));
    expect(blockings.refusal(asked(0))).toMatchObject({ code: "kernel/input-refused", details: { plugin: "wild" } });
    expect(blockings.refusal(asked(3))?.code).toBe("kernel/requester-refused");
    await blockings.forgive("shelf");
    expect(blockings.refusal(asked(0))?.code).toBe("kernel/input-refused");
    await blockings.forgive("wild");
    expect(blockings.refusal(asked(0))).toBeUndefined();
  });

  it("never keep an administrator from the routes of the kernel", async () => {
    await using folder = await temporaryFolder();
    const blockings = await open(folder.path);
    const asked = () => request("PATCH /api/plugins/wild", "203.0.113.1", 5, "kernel");
    for (let index = 0; index < 4; index += 1) blockings.add("wild", describeCause(asked()));
    expect(blockings.refusal(asked())).toBeUndefined();
  });
});
