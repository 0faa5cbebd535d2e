import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { decodeXml, readXml, readXmlTree, XmlRefused, type XmlOptions } from "../src/xml/index.js";

const bytes = (text: string) => Buffer.from(text, "utf8");

function refusal(text: string | Uint8Array, options: XmlOptions = {}): string {
  try {
    readXml(typeof text === "string" ? bytes(text) : text, {}, options);
    return "none";
  } catch (thrown) {
    if (thrown instanceof XmlRefused) return thrown.refusal;
    throw thrown;
  }
}

describe("reading XML", () => {
  it("makes a tree of elements, attributes and trimmed texts", () => {
    expect(readXmlTree(bytes(`<a b="1"> x <c><![CDATA[<y>]]></c> z </a>`))).toEqual({
      name: "a",
      attributes: { b: "1" },
      text: "x  z",
      children: [{ name: "c", attributes: {}, text: "<y>", children: [] }],
    });
  });

  it.each([
    ["attributes without values", `<a ${"a ".repeat(2_000_000)}>`, "errors"],
    [
      "attributes with values",
      `<a ${Array.from({ length: 300_000 }, (_, at) => `a${at}=""`).join(" ")}/>`,
      "attributes",
    ],
    ["elements in each other", "<a>".repeat(1_300_000), "depth"],
    ["elements beside each other", `<r>${"<a/>".repeat(1_000_000)}</r>`, "elements"],
    ["brackets", "<".repeat(4_000_000), "errors"],
    ["a comment that is none", `<!--${"-".repeat(4_000_000)}`, "errors"],
    ["more bytes than it may have", `<a>${"x".repeat(5_000_000)}</a>`, "bytes"],
  ])("refuses %s within a fraction of a second", (_, text, why) => {
    const started = process.cpuUsage();
    expect(refusal(text)).toBe(why);
    const { user, system } = process.cpuUsage(started);
    // Without the limits this takes from five seconds up; other programs' time does not count.
    expect((user + system) / 1000).toBeLessThan(2500);
  });

  it("cuts off what is too long, and goes on", () => {
    const tree = readXmlTree(bytes(`<a b="${"v".repeat(100_000)}"><c>${"t".repeat(3_000_000)}</c><d>end</d></a>`));
    expect(tree?.attributes["b"]).toHaveLength(65_536);
    expect(tree?.children.map(({ text }) => text.length)).toEqual([65_536, 3]);
  });

  it.each([
    ["a CDATA section without end", `<a><![CDATA[${"]".repeat(4_000_000)}`],
    ["a CDATA section that almost ends", `<a><![CDATA[${"]]x".repeat(1_300_000)}`],
    ["entities", `<a>${"&lt;".repeat(1_000_000)}</a>`],
  ])("holds no more than a few megabytes for %s", async (_, text) => {
    const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
    const xml = createRequire(import.meta.url).resolve("@longbox/sdk/xml");
    const program = `import(${JSON.stringify(xml)}).then(({ readXml }) => {
      try { readXml(require("node:worker_threads").workerData, {}); } catch (thrown) {
        if (thrown.refusal !== "errors") throw thrown;
      }
    })`;
    const thread = new Worker(program, {
      eval: true,
      workerData: bytes(text),
      resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 },
    });
    thread.once("error", reject).once("exit", resolve);
    expect(await ended).toBe(0);
  });

  it("never follows entities that a document declares", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY p SYSTEM "file:///etc/passwd">]><x>&b;&p;</x>`;
    expect(readXmlTree(bytes(bomb))?.text).toBe("&b;&p;");
    expect(refusal(bomb, { refuseDoctype: true })).toBe("doctype");
  });

  it("takes stray ampersands as themselves, wherever a piece ends", () => {
    const limits = { textLength: 100_000 };
    for (let length = 65_490; length < 65_540; length++) {
      const text = readXmlTree(bytes(`<a>${"x".repeat(length)}R & D &amp; &#65; AT&T</a>`), { limits })?.text;
      expect(text?.slice(length)).toBe("R & D & A AT&T");
    }
  });

  it("is strict where no error is allowed", () => {
    expect(refusal(`<a>R & D</a>`, { limits: { errors: 0 } })).toBe("errors");
    expect(refusal(`<a>R &amp; D</a>`, { limits: { errors: 0 } })).toBe("none");
    expect(refusal(Buffer.from([0x3c, 0x61, 0x3e, 0xff]), { limits: { errors: 0 } })).toBe("encoding");
  });

  it.each([
    ["a mark of UTF-16", Buffer.from("\ufeff<a/>", "utf16le"), "<a/>"],
    ["UTF-16 without a mark", Buffer.from("<a/>", "utf16le"), "<a/>"],
    [
      "a declared old encoding",
      Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>`, "latin1"),
      `<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>`,
    ],
    [
      "a declaration that is not true",
      bytes(`<?xml version="1.0" encoding="utf-16"?><a>é</a>`),
      `<?xml version="1.0" encoding="utf-16"?><a>é</a>`,
    ],
    [
      "an encoding that is not known",
      bytes(`<?xml version="1.0" encoding="klingon"?><a/>`),
      `<?xml version="1.0" encoding="klingon"?><a/>`,
    ],
  ])("decodes %s", (_, source, text) => {
    expect(decodeXml(source)).toBe(text);
  });
});
