import type { BookBookmark } from "@longbox/books/api";
import { percent } from "@longbox/sdk/ui";

interface Exported {
  readonly title: string;
  readonly author: string;
  readonly entries: readonly BookBookmark[];
}

/** Highlights and notes as a document that people read. Texts are quoted, so that nothing in them becomes markup. */
export function asMarkdown({ title, author, entries }: Exported): string {
  const head = [`# ${plain(title)}`, ...(author ? [`*${plain(author)}*`] : [])];
  const parts = entries.map(({ text, note, fraction, color }) =>
    [
      ...(text === null ? ["**Bookmark**"] : [quoted(text)]),
      ...(note ? [plain(note)] : []),
      `<!-- ${percent(Math.round(fraction * 1000), 1000)}${color === null ? "" : `, ${color}`} -->`,
    ].join("\n\n"),
  );
  return `${[...head, ...parts].join("\n\n")}\n`;
}

export function asJson({ title, author, entries }: Exported): string {
  return `${JSON.stringify({ title, author, highlights: entries }, undefined, 2)}\n`;
}

/** Offers a text as a download. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const plain = (text: string) => text.replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`);
const quoted = (text: string) =>
  plain(text)
    .split(/\r?\n/)
    .map((line) => `> ${line.trim()}`)
    .join("\n");
