import type { FormerTags, TagFile } from "../archives/unpacking/tasks.js";
import { comicInfoText, fieldsOf, type TaggedIssue } from "./comic-info-writing.js";
import { metronInfoText } from "./metron-info-writing.js";

/** A file of tags that can be written. */
export interface WritableTags {
  readonly format: "comicinfo" | "metroninfo";
  readonly name: TagFile["name"];
  /** Whether the archive has such tags already: old ones would contradict the new ones. */
  readonly isThere: boolean;
  /** The new document. */
  xml(): Buffer;
}

/** The tags of an issue in each format. */
export function tagFiles(tagged: TaggedIssue, { comic, metron }: FormerTags): WritableTags[] {
  return [
    {
      format: "comicinfo",
      name: "ComicInfo.xml",
      isThere: comic !== undefined,
      xml: () => Buffer.from(comicInfoText(fieldsOf(tagged, comic), comic)),
    },
    {
      format: "metroninfo",
      name: "MetronInfo.xml",
      isThere: metron !== undefined,
      xml: () => Buffer.from(metronInfoText(tagged, metron)),
    },
  ];
}
