import { threadId } from "node:worker_threads";
import type { FormatInspector, Inspection } from "@longbox/files/contract";

const text = (number: string, title: string): Inspection => ({
  measure: { kind: "fraction" },
  tagged: true,
  reading: {
    series: { name: "Low Tides", ids: { openlibrary: "OL1W" } },
    number,
    title,
    people: [{ name: "Ada Quill", role: "author" }],
  },
  details: { words: 3 },
});

/** What the first word of a text makes its inspector do. */
const misbehaviour: Readonly<Record<string, () => Inspection | Promise<Inspection>>> = {
  throw: () => {
    throw new Error("/secret/path is broken");
  },
  hang: () => {
    for (;;);
  },
  wait: () => new Promise(() => {}),
  exit: () => process.exit(3),
  memory: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 500_000 }, () => 0.5));
  },
  nonsense: () => 7 as never,
  large: () => ({ ...text("9", "x"), details: "x".repeat(100_000) }),
  where: () => text(String(threadId), "In this thread"),
  long: () => ({ ...text("8", "t".repeat(50_000)), reading: { ...text("8", "t".repeat(50_000)).reading } }),
};

const inspector: FormatInspector = {
  matches: ({ head }) => !head.subarray(0, 4).equals(Buffer.from("%PDF")),
  matchesFolder: ({ files, folders }) => folders.length === 0 && files.includes("parts.lst"),
  inspect(file) {
    if (file.head.length === 0)
      return { ...text("1", "In Parts"), measure: { kind: "seconds", seconds: 90 }, parts: ["one.txt", "two.txt"] };
    const [first = "", number = "", ...title] = file.read(0, file.sizeBytes).toString("utf8").split(" ");
    return misbehaviour[first]?.() ?? text(number, title.join(" "));
  },
};

const marked: FormatInspector = {
  matches: ({ head }) => head.subarray(0, 4).equals(Buffer.from("%PDF")),
  inspect: () => text("5", "Marked"),
};

export const inspectors = { text: inspector, marked };
