import { foldIssueNumber, type Issue, type Series } from "@longbox/collection/contract";
import type { FileNames } from "@longbox/files/contract";
import { foldTitle } from "@longbox/sdk";
import { issuesIn } from "../deciding/numbers.js";
import { ReleaseUnusable } from "../errors.js";
import type { Arrived, ArrivedFile } from "./arrived-files.js";

/**
 * The one file, or folder of parts, that is the issue.
 * @throws {ReleaseUnusable} nothing in it is, or it cannot be told which
 */
export async function chooseFile(
  arrived: Arrived,
  wanted: { series: Series; issue: Issue },
  names: FileNames,
): Promise<string> {
  const { issue } = wanted;
  if (arrived.parts !== undefined) return arrived.parts;
  const [first, ...more] = arrived.content;
  if (!first) {
    const other = arrived.others[0];
    throw new ReleaseUnusable(
      other === undefined ? "It holds no file." : `It holds no file of a format that can be read, but "${other}".`,
    );
  }
  const says = await readSaid(arrived, wanted, names);
  if (more.length === 0) {
    const { isSeries, isNumber, number } = says[0]!;
    if (issue.number !== "" && isSeries && number !== undefined && !isNumber)
      throw new ReleaseUnusable(`The file in it is number ${number}, not ${issue.number}.`);
    return first.path;
  }
  const fitting = arrived.content.filter((_, at) => says[at]!.isNumber);
  if (fitting.length === 1) return fitting[0]!.path;
  throw new ReleaseUnusable(
    fitting.length === 0
      ? `None of the ${arrived.content.length} files in it is called number ${issue.number}.`
      : `Several files in it are called number ${issue.number}.`,
  );
}

/** What the name of each file says of the series and the issue that are wanted. */
async function readSaid(arrived: Arrived, { series, issue }: { series: Series; issue: Issue }, names: FileNames) {
  const read = await names.readFiles(
    arrived.content.map(({ name }) => name),
    { series: series.title },
  );
  const title = foldTitle(series.title);
  const key = foldIssueNumber(issue.number);
  return read.map(({ series: named, number }) => ({
    isSeries: named !== undefined && foldTitle(named) === title,
    isNumber: number !== undefined && foldIssueNumber(number) === key,
    number,
  }));
}

/** The files of a pack, each with its issue where its name says so beyond doubt. */
export async function sortPack(
  arrived: Arrived,
  { series, issues }: { series: Series; issues: readonly Issue[] },
  names: FileNames,
): Promise<{
  readonly placed: ReadonlyArray<{ file: ArrivedFile; issue: Issue }>;
  readonly rest: readonly ArrivedFile[];
}> {
  const read = await names.readFiles(
    arrived.content.map(({ name }) => name),
    { series: series.title },
  );
  const wanted = [series.title, ...series.aliases].map(foldTitle);
  const placed: Array<{ file: ArrivedFile; issue: Issue }> = [];
  const rest: ArrivedFile[] = [];
  const taken = new Set<number>();
  for (const [at, file] of arrived.content.entries()) {
    const { series: named, number, isCertain } = read[at]!;
    const [issue, ...others] = issuesIn(number, issues);
    const fits = issue && others.length === 0 && isCertain && !issue.owned && !taken.has(issue.id);
    if (fits && (named === undefined || wanted.includes(foldTitle(named)))) {
      taken.add(issue.id);
      placed.push({ file, issue });
    } else rest.push(file);
  }
  return { placed, rest };
}
