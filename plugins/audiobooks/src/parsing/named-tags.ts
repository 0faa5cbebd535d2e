import type { TagName } from "../recording/recording.js";

/** Tags that have a name of letters: Vorbis comments, `TXXX` of ID3 and `----` of MP4. */
const names: Readonly<Record<string, TagName>> = {
  title: "title",
  album: "album",
  artist: "artist",
  author: "artist",
  albumartist: "albumArtist",
  composer: "composer",
  narrator: "narrator",
  narratedby: "narrator",
  reader: "narrator",
  performer: "narrator",
  series: "series",
  seriesname: "series",
  mvnm: "series",
  movementname: "series",
  seriespart: "seriesPart",
  seriesposition: "seriesPart",
  seriessequence: "seriesPart",
  mvin: "seriesPart",
  movement: "seriesPart",
  description: "description",
  comment: "description",
  synopsis: "description",
  language: "language",
  date: "date",
  year: "date",
  publisher: "publisher",
  organization: "publisher",
  label: "publisher",
  genre: "genre",
  grouping: "grouping",
  asin: "asin",
  audibleasin: "asin",
  isbn: "isbn",
  discnumber: "disc",
  disc: "disc",
  tracknumber: "track",
  track: "track",
  overdrivemediamarkers: "overDrive",
};

/** @param name - in any case, with spaces, hyphens or underscores */
export function namedTag(name: string): TagName | undefined {
  const key = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return Object.hasOwn(names, key) ? names[key] : undefined;
}
