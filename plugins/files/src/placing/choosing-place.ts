import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { BadInput, Conflict, isWithin, NotFound, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Issue, Library, Series } from "@longbox/collection/contract";
import type { FileFormat, PlaceRequest } from "../contract.js";
import type { Formats } from "../formats/formats.js";
import type { Judging } from "../importing/judging.js";
import { groupOf } from "../importing/finding.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import { PlaceTaken } from "../moving/place-taken.js";
import type { Naming } from "../naming/naming.js";
import { parseName } from "../names/parse-name.js";
import { issueOf } from "../scan/identify.js";
import { requireAgreement } from "./agreeing.js";
import { isBetter } from "./comparing.js";

export interface ChoosingParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly naming: Naming;
  readonly judging: Judging;
}

/** The goal of a file, and the files that it replaces. */
export interface ChosenPlace {
  readonly library: Library;
  readonly series: Series;
  readonly number: string;
  readonly kind: Issue["kind"];
  /** Undefined when the series has no such issue yet. */
  readonly issue: Issue | undefined;
  readonly goal: string;
  readonly replaced: readonly string[];
}

/** Chooses the place of a file that another plugin brings. */
export class ChoosingPlace {
  constructor(private readonly parts: ChoosingParts) {}

  async choose(file: InspectedPath, request: PlaceRequest, viewer: Viewer): Promise<ChosenPlace> {
    const what =
      request.issueId === undefined ? await this.#read(file, viewer) : await this.#asked(request.issueId, viewer);
    if (request.agrees && what.issue) requireAgreement(file, what.series, what.issue);
    const { library, folder } = await this.#home(what.series, file, viewer);
    const goal = join(folder, this.#fileName(what, file, library));
    await requireInside(folder, library);
    const replaced = await this.#replaced(what.issue, file, request);
    if (!replaced.includes(goal) && (await exists(goal))) throw new PlaceTaken(goal);
    return { ...what, library, goal, replaced };
  }

  async #asked(issueId: number, viewer: Viewer): Promise<Pick<ChosenPlace, "series" | "issue" | "number" | "kind">> {
    const [issue] = await this.parts.collection.findIssues([issueId], viewer);
    const series = issue && (await this.parts.collection.findSeries(issue.seriesId, viewer));
    if (!issue || !series) throw new NotFound("files/issue-not-found", `There is no item ${issueId}.`);
    return { series, issue, number: issue.number, kind: issue.kind };
  }

  /** Only what is certain, as in the review of imports. */
  async #read(file: InspectedPath, viewer: Viewer): Promise<Pick<ChosenPlace, "series" | "issue" | "number" | "kind">> {
    const { collection, judging } = this.parts;
    const group = groupOf([file], "");
    const { confidence, match, reasons } = await judging.judge(group, viewer);
    const series =
      confidence === "high" && typeof match?.seriesId === "number"
        ? await collection.findSeries(match.seriesId, viewer)
        : undefined;
    const said = issueOf(file.inspection.reading, basename(file.path), () =>
      parseName(basename(file.path), { series: group.name }),
    );
    if (!series)
      throw new Conflict("files/uncertain", "It is not certain which series the file belongs to.", { reasons });
    const issues = await collection.listIssues(series.id, viewer);
    const issue = issues.find(({ number, kind }) => number === said.number && kind === said.kind);
    return { series, issue, number: said.number, kind: said.kind };
  }

  /** Beside the files that the series has already, else where the patterns say. */
  async #home(series: Series, file: InspectedPath, viewer: Viewer): Promise<{ library: Library; folder: string }> {
    const libraries = await this.parts.collection.listLibraries(viewer);
    const format = this.parts.formats.find(file.format);
    const home = libraries.find(({ rootFolder }) => series.path?.startsWith(`${rootFolder}/`));
    const library =
      home ??
      libraries.find(({ id }) => id === series.libraryId) ??
      libraries.find(({ type }) => type === series.type) ??
      libraries.find(({ type }) => format?.libraryTypes.includes(type));
    if (!library)
      throw new BadInput("files/no-library", "There is no library for the file.", { path: "has no library" });
    if (!format?.libraryTypes.includes(library.type))
      throw new BadInput("files/wrong-format", `${library.name} does not hold files of this format.`, {
        path: `is a file of the format ${file.format}`,
      });
    if (home && series.path !== undefined) return { library, folder: series.path };
    const folder = this.parts.naming.folderOf(series, library);
    if (folder === undefined) throw new BadInput("files/no-name", `No folder name can be made for ${series.title}.`);
    return { library, folder: join(library.rootFolder, folder) };
  }

  /** The extension is that of the detected format; the file's own name is not trusted. */
  #fileName(
    { series, issue, number }: Omit<ChosenPlace, "library" | "goal" | "replaced">,
    file: InspectedPath,
    library: Library,
  ): string {
    const { title } = file.inspection.reading;
    const name = this.parts.naming.fileOf(series, issue ?? { number, title, coverDate: undefined }, library);
    if (name === undefined)
      throw new BadInput("files/no-name", `No file name can be made for ${series.title} ${number}.`);
    return `${name}${endingOf(file.path, this.parts.formats.find(file.format))}`;
  }

  async #replaced(issue: Issue | undefined, file: InspectedPath, { replaces }: PlaceRequest): Promise<string[]> {
    const held = issue ? await this.parts.collection.listHoldings(issue.id) : [];
    const there: Holding[] = [];
    for (const holding of held) if (await exists(holding.path)) there.push(holding);
    if (there.length === 0) return [];
    if (replaces === undefined)
      throw new Conflict("files/owned-already", "There is a file already.", { issueId: issue!.id });
    const equal = replaces === "worse" && there.find((holding) => !isBetter(file.inspection, holding));
    if (equal) throw new Conflict("files/not-better", "The existing file is at least as good.", { issueId: issue!.id });
    return there.map(({ path }) => path);
  }
}

function endingOf(path: string, format: FileFormat | undefined): string {
  const own = extname(path).toLowerCase();
  const known = format?.extensions ?? [];
  if (known.includes(own.slice(1))) return own;
  return known[0] === undefined ? "" : `.${known[0]}`;
}

/** A folder in the library may be a link; its target must be inside the library as well. */
async function requireInside(folder: string, { rootFolder }: Library): Promise<void> {
  const root = await realpath(rootFolder).catch(() => undefined);
  if (root === undefined) throw new Conflict("files/not-placed", "The library's folder is not there.");
  for (let here = folder; isWithin(rootFolder, here); here = dirname(here)) {
    const real = await realpath(here).catch(() => undefined);
    if (real === undefined) continue;
    if (isWithin(root, real)) return;
    break;
  }
  throw new Conflict("files/not-placed", "The folder of the series leads out of the library.");
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
