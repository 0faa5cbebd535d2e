/** What brackets of a name hold. */
export interface Bracketed {
  /** The name, each bracketed part replaced by a bar, so that words keep their places. */
  readonly text: string;
  readonly year: number | undefined;
  /** A year that stands before the issue's number is the volume's. */
  readonly volumeYear: number | undefined;
  readonly volume: number | undefined;
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly count: number | undefined;
  readonly number: string | undefined;
  readonly cvId: number | undefined;
  readonly cvIssueId: number | undefined;
  readonly tags: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The second alternative is a bracket that was never closed. */
const brackets = /[([{]([^()[\]{}]*)[)\]}]|[([{]([^()[\]{}]*)$/g;

/** Takes the bracketed parts out of a name and reads those that say something. */
export function readBrackets(name: string): Bracketed {
  const found: { -readonly [Key in keyof Bracketed]: Bracketed[Key] } = {
    text: "",
    year: undefined,
    volumeYear: undefined,
    volume: undefined,
    month: undefined,
    day: undefined,
    count: undefined,
    number: undefined,
    cvId: undefined,
    cvIssueId: undefined,
    tags: [],
  };
  const tags: string[] = [];
  const years: Array<{ at: number; year: number }> = [];
  found.text = name.replace(brackets, (_whole, closed: string | undefined, open: string | undefined, at: number) => {
    const content = (closed ?? open ?? "").trim();
    const date = readDate(content);
    const count = /^of\s*(\d{1,4})$/i.exec(content);
    const number = /^#\s*(-?\d[\w.½¼¾]*)$/.exec(content);
    const volume = /^v(?:ol(?:ume)?)?\.?\s*(\d{1,3})$/i.exec(content);
    const id = /^(?:cv|comicvine|cvdb)[ -_]?(?:(4000|4050)-)?(\d+)$/i.exec(content);
    if (date) {
      years.push({ at, year: date.year });
      found.month = date.month ?? found.month;
      found.day = date.day ?? found.day;
    } else if (count) found.count = Number(count[1]);
    else if (volume) found.volume = Number(volume[1]);
    else if (number) {
      found.number = number[1];
      return " | ";
    } else if (id) {
      if (id[1] === "4000" || /^cvdb/i.test(content)) found.cvIssueId = Number(id[2]);
      else found.cvId = Number(id[2]);
    } else if (content !== "") tags.push(content.replace(/^_+|_+$/g, ""));
    return " | ";
  });
  found.year = years.at(-1)?.year;
  if (years.length > 1) found.volumeYear = years[0]!.year;
  found.tags = tags;
  return found;
}

/** A year, a month and a day: `2019`, `2019-05`, `2019-05-12`, `May 2019`, `Sep-Oct 1951`, `2019-2021`, `FCBD 2021`. */
export function readDate(text: string): { year: number; month?: number; day?: number } | undefined {
  const year = /(?:^|[^\d])((?:18[5-9]|19\d|20\d)\d)(?=$|[^\d])/.exec(text);
  if (!year) return undefined;
  const rest = text.replace(year[1]!, " ").trim();
  if (rest === "" || /^[-–]\s*(\d{4})?$/.test(rest) || /^FCBD$/i.test(rest)) return { year: Number(year[1]) };
  const numbers = /^[-./]\s*(\d{1,2})(?:[-./](\d{1,2}))?$/.exec(rest);
  if (numbers)
    return dateOf(Number(year[1]), Number(numbers[1]), numbers[2] === undefined ? undefined : Number(numbers[2]));
  const words = /^(?:(\d{1,2})\s+)?([a-z]{3,9})\.?(?:\s*[-/]\s*[a-z]{3,9}\.?)?(?:\s+(\d{1,2}))?,?$/i.exec(rest);
  const month = words ? months.indexOf(words[2]!.slice(0, 3).toLowerCase()) + 1 : 0;
  if (!words || month === 0) return undefined;
  const day = words[1] ?? words[3];
  return dateOf(Number(year[1]), month, day === undefined ? undefined : Number(day));
}

function dateOf(year: number, month: number, day: number | undefined): { year: number; month?: number; day?: number } {
  if (month < 1 || month > 12) return { year };
  return day === undefined || day < 1 || day > 31 ? { year, month } : { year, month, day };
}
