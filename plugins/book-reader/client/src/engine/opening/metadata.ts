import type { OpenedBook } from "../../protocol.js";

type Metadata = Pick<OpenedBook, "title" | "author" | "language" | "rightToLeft" | "readAlong">;

export function readMetadata({ metadata, dir, sections }: FoliateBook): Metadata {
  return {
    title: textOf(metadata?.title),
    author: listOf(metadata?.author)
      .map(nameOf)
      .filter((name) => name !== "")
      .join(", "),
    language: textOf(listOf(metadata?.language)[0]),
    rightToLeft: dir === "rtl",
    readAlong: sections.some(({ mediaOverlay }) => mediaOverlay),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** A text, or a text for each language. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  const [first] = Object.values(value);
  return typeof first === "string" ? first : "";
}

function nameOf(value: unknown): string {
  const name: unknown = typeof value === "object" && value !== null && "name" in value ? value.name : value;
  return textOf(name);
}
