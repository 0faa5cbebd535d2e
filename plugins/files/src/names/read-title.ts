import type { NameHints } from "../contract.js";
import type { ParsedName } from "./parsed-name.js";
import { parseName } from "./parse-name.js";

/** A name that a post of Usenet puts in quotation marks. */
const quoted = /"([^"]{3,})"/u;
/** Which part of how many a post is, at its beginning or end, and how it was encoded. */
const postParts = /^\s*(?:[[(]\d{1,4}\/\d{1,4}[\])]\s*-?\s*)+|\s*yEnc\b.*$|\s*[[(]\d{1,6}\/\d{1,6}[\])]\s*$/giu;
/** Volumes of archives and what is sent along with them. */
const partEnding = /\.(?:part\d{1,4}\.rar|vol\d{1,4}\+\d{1,4}\.par2|par2|nzb|torrent|sfv|nfo|r\d{2,3}|\d{3})$/iu;
/** The group that made a release, at its end: `Digital-GROUP`. A number there is the issue's. */
const releaseGroup = /(?<=[.\s](?:digital|webrip|web|hybrid|retail|c2c|comic|ebook))-[a-z][\w]{1,30}$/iu;

/** A year in the open after the number: `003.2019.Digital`. */
const bareYear = /(?<=[.\s#]\d{1,4}[.\s])(?:19[3-9]\d|20[0-4]\d)(?=[.\s]|$)/u;

/** Reads the title of a release, of a post, of a list's entry or of a search. */
export function readTitle(title: string, hints: NameHints = {}): ParsedName {
  const name = quoted.exec(title)?.[1] ?? title.replaceAll(postParts, "");
  const bare = name.replace(partEnding, "").replace(releaseGroup, "").trim();
  return parseName(bare.replace(bareYear, "($&)"), hints);
}
