import type { ListFile } from "./list-file.js";

/** Writes a reading list as ComicRack does, so that other programs read it. */
export function writeListFile({ name, books }: ListFile): string {
  const lines = books.map((book) => {
    const attributes = { Series: book.series, Number: book.number, Volume: book.volume, Year: book.year };
    const said = Object.entries(attributes)
      .filter(([key, value]) => key === "Series" || key === "Number" || value !== "")
      .map(([key, value]) => ` ${key}="${escape(value)}"`)
      .join("");
    if (book.cvIssueId === undefined) return `<Book${said} />`;
    const series = book.volumeId === undefined ? "" : ` Series="${book.volumeId}"`;
    return `<Book${said}>\n<Database Name="cv"${series} Issue="${book.cvIssueId}" />\n</Book>`;
  });
  return [
    `<?xml version="1.0" encoding="utf-8"?>`,
    `<ReadingList xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`,
    `<Name>${escape(name ?? "")}</Name>`,
    `<NumIssues>${books.length}</NumIssues>`,
    `<Books>`,
    ...lines,
    `</Books>`,
    `<Matchers />`,
    `</ReadingList>`,
    ``,
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Characters that XML cannot represent are left out. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"\t\n\r]/g, (character) => entities[character] as string);
}
