import {
  BadInput,
  CapabilityGone,
  contract,
  definePlugin,
  defineRoute,
  extensionPoint,
  idListParameter,
  idParameter,
  indexParameter,
  flagParameter,
  isLongboxError,
  joinSignals,
  LongboxError,
  NotFound,
  pageParameters,
  signedIdParameter,
  systemViewer,
} from "@longbox/sdk";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { z } from "zod";

describe("a route", () => {
  const route = (method: "GET" | "POST", changes = {}) =>
    defineRoute({ method, path: "/api/shelves", summary: "Shelves", handle: () => [], ...changes });

  it("is for viewers when it reads, and for trusted users when it writes", () => {
    expect([route("GET").access, route("POST").access]).toEqual(["viewer", "trusted"]);
    expect(route("POST", { access: "shelves.tidy" }).access).toBe("shelves.tidy");
  });

  it("cannot be changed after it was checked", () => {
    expect(() => Object.assign(route("GET"), { access: "public" })).toThrow(TypeError);
  });

  it("takes JSON up to one megabyte unless it says otherwise", () => {
    expect(route("POST")).toMatchObject({
      bodyFormat: "json",
      bodyLimitBytes: 1_048_576,
      responseType: "application/json",
      acceptsBasic: false,
    });
  });
});

describe("a plugin", () => {
  it("may leave out everything but activate", () => {
    expect(definePlugin({ activate() {} })).toMatchObject({
      requires: {},
      optional: {},
      migrations: [],
      settings: undefined,
      deactivate: undefined,
    });
  });
});

describe("a token", () => {
  it("is the same contract in every copy, because it is data", () => {
    expect(structuredClone(contract("reader.progress", "1.2.0"))).toEqual({
      kind: "contract",
      id: "reader.progress",
      version: "1.2.0",
    });
    expect(structuredClone(extensionPoint("statusParts", "1.0.0"))).toEqual({
      kind: "extension-point",
      id: "statusParts",
      version: "1.0.0",
    });
  });
});

describe("an error", () => {
  it("is known by its brand, whichever copy of the SDK made it", () => {
    class OwnError extends LongboxError {}
    const foreign = Object.assign(new Error("made elsewhere"), { [Symbol.for("longbox.error")]: true });
    expect(
      [
        new OwnError("conflict", "shelves/full", "Full."),
        foreign,
        new Error("plain"),
        { message: "no error" },
        undefined,
      ].map(isLongboxError),
    ).toEqual([true, true, false, false, false]);
  });

  it("carries its kind, its code, its details and its cause", () => {
    const cause = new Error("below");
    const error = new LongboxError(
      "upstream",
      "shelves/away",
      "Away.",
      { host: "a" },
      { cause, retryAfterSeconds: 30, body: { unavailable: true } },
    );
    expect(error).toMatchObject({
      name: "LongboxError",
      kind: "upstream",
      code: "shelves/away",
      message: "Away.",
      details: { host: "a" },
      cause,
      retryAfterSeconds: 30,
      body: { unavailable: true },
    });
    expect(new BadInput("shelves/bad", "Bad.", { name: "is missing" })).toMatchObject({
      name: "BadInput",
      kind: "bad-input",
      details: { name: "is missing" },
    });
    expect(new NotFound("shelves/none", "None.").kind).toBe("not-found");
    expect(new CapabilityGone("shelves")).toMatchObject({
      kind: "unavailable",
      code: "kernel/capability-gone",
      details: { capability: "shelves" },
    });
  });
});

describe("a parameter", () => {
  const read = (schema: z.ZodType, text: string) => {
    const parsed = schema.safeParse(text);
    return parsed.success ? parsed.data : "refused";
  };

  it("is a number only when all of it is one", () => {
    const texts = ["7", "0", "-7", "7.0", "7e2", "0x7", " 7", "", "9".repeat(16)];
    expect(texts.map((text) => read(idParameter, text))).toEqual([
      7,
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
    expect(texts.slice(0, 3).map((text) => read(signedIdParameter, text))).toEqual([7, "refused", -7]);
    expect(texts.slice(0, 3).map((text) => read(indexParameter, text))).toEqual([7, 0, "refused"]);
  });

  it("is a switch, a list, or a page of a list", () => {
    expect(["1", "true", "0", "false", "yes"].map((text) => read(flagParameter, text))).toEqual([
      true,
      true,
      false,
      false,
      "refused",
    ]);
    expect(["1,2,-3", "", "1,x"].map((text) => read(idListParameter, text))).toEqual([[1, 2, -3], [], "refused"]);
    const page = z.object(pageParameters({ default: 60, max: 500 }));
    expect(page.parse({})).toEqual({ limit: 60, offset: 0 });
    expect(page.safeParse({ limit: "501" }).success).toBe(false);
  });
});

describe("what all plugins share", () => {
  it("gives the system every right, which cannot be changed", () => {
    expect([
      systemViewer.may("anything.at-all"),
      systemViewer.seesRestricted,
      Object.isFrozen(systemViewer.user),
    ]).toEqual([true, true, true]);
  });
});

describe("joined signals", () => {
  it("abort with the first of them, for its reason", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = joinSignals(one.signal, undefined, other.signal);
    other.abort("first");
    one.abort("second");
    expect([signal.aborted, signal.reason, joinSignals(one.signal).signal.reason]).toEqual([true, "first", "second"]);
  });

  it("follow nothing once they are let go, and leave the others alone", () => {
    const source = new AbortController();
    const [gone, stays] = [joinSignals(source.signal), joinSignals(source.signal)];
    gone.release();
    gone.release();
    source.abort();
    expect([gone.signal.aborted, stays.signal.aborted]).toEqual([false, true]);
  });

  it("are not held by a source that lives on, whatever listens to them", () => {
    const source = new AbortController();
    const join = (times: number) => {
      for (let time = 0; time < times; time++) {
        const joined = joinSignals(source.signal);
        joined.signal.addEventListener("abort", () => {});
        joined.release();
      }
    };
    join(2_000);
    const before = heldBytes();
    join(10_000);
    // AbortSignal.any would hold more than a kilobyte for each.
    expect(heldBytes() - before).toBeLessThan(1_000_000);
  });
});

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
