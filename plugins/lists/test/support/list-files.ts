export interface BookSpec {
  readonly series?: string;
  readonly number?: string;
  readonly volume?: string;
  readonly year?: string;
  readonly issue?: string | number;
  readonly database?: string;
}

/** A list file as ComicRack writes it. */
export function listFile(books: readonly BookSpec[], name = "Lamplight Saga"): string {
  const lines = books.map(({ series = "", number = "", volume = "-1", year = "-1", issue, database = "cv" }) => {
    const said = `Series="${escape(series)}" Number="${escape(number)}" Volume="${volume}" Year="${year}"`;
    return issue === undefined
      ? `<Book ${said} />`
      : `<Book ${said}><Database Name="${database}" Series="5001" Issue="${issue}" /><Id>8b8d2a3c</Id></Book>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\r\n<ReadingList xmlns:xsd="http://www.w3.org/2001/XMLSchema">\r\n<Name>${escape(name)}</Name>\n<NumIssues>9</NumIssues>\n<Books>\n${lines.join("\n")}\n</Books>\n<Matchers />\n</ReadingList>`;
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
