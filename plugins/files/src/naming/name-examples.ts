import { z } from "zod";
import type { Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue, Library, Series } from "@longbox/collection/contract";
import type { Formats } from "../formats/formats.js";
import { keptExtension } from "../formats/kept-extension.js";
import { ownFolderPattern, partsOf, type NamingPatterns } from "./naming.js";
import { fileName, folderName, unknownTokens } from "./pattern.js";

export const nameExampleSchema = z.object({
  seriesId: z.number().int(),
  series: z.string(),
  year: z.number().int().nullable(),
  number: z.string(),
  /** Inside the library, with `/` between its parts; null where no name can be made. */
  path: z.string().nullable(),
  /** Tokens of the patterns that nothing is known for here, such as `publisher`. */
  unknown: z.array(z.string()),
  /** The library has a folder pattern of its own, which came first. */
  ownFolderPattern: z.boolean(),
});
export type NameExample = z.infer<typeof nameExampleSchema>;

const mostExamples = 5;

/** Names that patterns make for what is in the library: a few series from all over the alphabet, an issue of each. */
export async function nameExamples(
  { collection, formats }: { collection: CollectionContract; formats: Formats },
  patterns: NamingPatterns,
  viewer: Viewer,
): Promise<NameExample[]> {
  const libraries = await collection.listLibraries(viewer);
  const examples: NameExample[] = [];
  for (const series of await spreadSeries(collection, viewer)) {
    const issues = await collection.listIssues(series.id, viewer);
    const issue = issues.find(({ owned }) => owned) ?? issues[0];
    if (issue)
      examples.push(
        exampleOf(
          {
            series,
            issue,
            extension: await extensionOf(collection, formats, issue),
            library: libraries.find(({ id }) => id === series.libraryId),
          },
          patterns,
        ),
      );
  }
  return examples;
}

async function spreadSeries(collection: CollectionContract, viewer: Viewer): Promise<Series[]> {
  const { items, total } = await collection.listSeries({ limit: mostExamples, offset: 0 }, viewer);
  if (total <= mostExamples) return [...items];
  const chosen: Series[] = [];
  for (let index = 0; index < mostExamples; index++) {
    const {
      items: [series],
    } = await collection.listSeries({ limit: 1, offset: Math.floor((index * total) / mostExamples) }, viewer);
    if (series) chosen.push(series);
  }
  return chosen;
}

interface NamedFile {
  readonly series: Series;
  readonly issue: Issue;
  readonly extension: string;
  readonly library: Library | undefined;
}

function exampleOf(
  { series, issue, extension, library }: NamedFile,
  { folderPattern, filePattern }: NamingPatterns,
): NameExample {
  const own = ownFolderPattern(library);
  const parts = partsOf(series, issue);
  const folder = folderName(own ?? folderPattern, partsOf(series, undefined));
  const file = fileName(filePattern, parts);
  return {
    seriesId: series.id,
    series: series.title,
    year: series.year ?? null,
    number: issue.number,
    path: folder === undefined || file === undefined ? null : `${folder}/${file}${extension}`,
    unknown: unknownTokens(`${own ?? folderPattern}/${filePattern}`, parts),
    ownFolderPattern: own !== undefined,
  };
}

/** As the file has it that is read; a work that is a folder has none. */
async function extensionOf(collection: CollectionContract, formats: Formats, issue: Issue): Promise<string> {
  const [holding] = issue.owned || issue.corrupt ? await collection.listHoldings(issue.id) : [];
  if (!holding) return extensionOfType(formats, issue.type);
  return keptExtension(holding.path);
}

/** The first ending that a format of the type has. */
function extensionOfType(formats: Formats, type: string): string {
  const [extension] = formats.ofType(type).flatMap(({ extensions }) => extensions);
  return extension === undefined ? "" : `.${extension}`;
}
