import type { Release } from "@longbox/downloads/contract";
import { BadInput, foldWords } from "@longbox/sdk";
import type { Torrent } from "./torrent.js";

const program = /\.(?:exe|msi|bat|cmd|com|scr|pif|lnk|vbs|js|jse|wsf|ps1|hta|jar|apk|dmg|pkg|app|sh)$/iu;
/** Titles in other scripts than their files are no lies. */
const ownWord = /^\p{Script=Latin}{3,}$/u;

/** Compares the torrent with what the indexer announced. @throws {BadInput} */
export function checkPromised({ hashes, name, files }: Torrent, release: Release): void {
  if (release.infoHash !== undefined && !isAmong(hashes, release.infoHash)) throw anotherTorrent();
  const harmful = files.find(({ path }) => program.test(path));
  if (harmful)
    throw new BadInput("source-torrent/wrong-content", `The torrent holds a program: "${lastOf(harmful.path)}".`);
  const promised = wordsOf(release.title);
  const held = new Set([name, ...files.map(({ path }) => path)].flatMap(wordsOf));
  if (promised.length > 0 && held.size > 0 && !promised.some((word) => held.has(word)))
    throw new BadInput(
      "source-torrent/wrong-content",
      `The torrent is another one than its title says: it is called "${name.slice(0, 100)}".`,
    );
}

/** Endings of files and the like are too short or too common to tell titles apart. */
const common = new Set(["cbz", "cbr", "cbt", "pdf", "epub", "mobi", "zip", "rar", "digital", "the", "and", "comic"]);
const wordsOf = (text: string) =>
  foldWords(text)
    .split(" ")
    .filter((word) => ownWord.test(word) && !common.has(word));
/** The hash of version 2 is often cut to the length of version 1. */
export const isAmong = (hashes: readonly string[], promised: string) =>
  hashes.some((hash) => hash.startsWith(promised));
const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).slice(0, 100);
export const anotherTorrent = () =>
  new BadInput("source-torrent/wrong-content", "The indexer sent a different torrent from the one it announced.");
