import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { archiveKind, kindHeadBytes, promisesComic } from "../archives/kinds.js";
import { ZipArchive, type OddMethodReader } from "../archives/zip-archive.js";
import { parseFolderName, parseName } from "../names/parse-name.js";
import { readComicInfo } from "../tags/comic-info.js";
import { issueTags, type IssueTags } from "../tags/issue-tags.js";
import type { CandidateFile, FoundGroup } from "./candidate.js";

const mostFiles = 20_000;
const deepestFolder = 16;

interface FoundFile extends CandidateFile {
  readonly series: string;
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly cvId: number | undefined;
}

/** Looks through a folder in the import folder, whose own name says nothing, and puts together what seems to be of one series. */
export async function findGroups(folder: string, importFolder: string, oddMethods: OddMethodReader): Promise<FoundGroup[]> {
  const paths: string[] = [];
  await collect(folder, 0, paths);
  const groups = new Map<string, FoundFile[]>();
  for (const path of paths.sort()) {
    const file = await readFoundFile(path, importFolder, oddMethods);
    const key = `${dirname(path)}\n${file.series.toLowerCase()}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map(toGroup);
}

async function collect(folder: string, depth: number, paths: string[]): Promise<void> {
  if (depth > deepestFolder || paths.length >= mostFiles) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, depth + 1, paths);
    else if (entry.isFile() && promisesComic(entry.name) && paths.length < mostFiles) paths.push(path);
  }
}

async function readFoundFile(path: string, importFolder: string, oddMethods: OddMethodReader): Promise<FoundFile> {
  const folder = dirname(path) === importFolder ? undefined : parseFolderName(basename(dirname(path)));
  const parsed = parseName(basename(path), { series: folder?.name });
  const tags = await readTagsOf(path, oddMethods);
  const { size } = await stat(path);
  return {
    path,
    name: basename(path),
    size,
    number: tags?.number ?? parsed.number ?? "",
    series: tags?.series ?? parsed.series ?? folder?.name ?? basename(path),
    year: (tags?.volume !== undefined && tags.volume >= 1850 ? tags.volume : undefined) ?? folder?.year ?? parsed.volume ?? parsed.year,
    publisher: tags?.publisher,
    cvId: tags?.cvVolumeId ?? folder?.cvId,
  };
}

/** Tags from inside, where the archive shows them without being unpacked. */
async function readTagsOf(path: string, oddMethods: OddMethodReader): Promise<IssueTags | undefined> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(kindHeadBytes), 0, kindHeadBytes, 0);
    if (archiveKind(buffer.subarray(0, bytesRead)) !== "zip") return undefined;
  } finally {
    await handle.close();
  }
  const archive = await ZipArchive.open(path, oddMethods).catch(() => undefined);
  try {
    const bytes = await archive?.readTags().catch(() => undefined);
    const info = bytes && readComicInfo(bytes);
    return info && issueTags(info);
  } finally {
    await archive?.close();
  }
}

function toGroup(files: readonly FoundFile[]): FoundGroup {
  const years = files.flatMap((file) => file.year ?? []);
  return {
    folder: dirname(files[0]!.path),
    name: files[0]!.series,
    year: years.length === 0 ? undefined : Math.min(...years),
    publisher: files.find((file) => file.publisher !== undefined)?.publisher,
    files: files.map(({ path, name, size, number }) => ({ path, name, size, number })),
    cvIds: [...new Set(files.flatMap((file) => file.cvId ?? []))],
  };
}
