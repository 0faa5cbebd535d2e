import {
  readAlternateNumber,
  readOpenDate,
  readNotes,
  readTitleBeforeNumber,
  readWeek,
  readYearBehind,
} from "./rules/afterwards.js";
import { readCount, readCounters, readHash, readLeadingCounter, readNumberWord, readRange } from "./rules/announced.js";
import { readAfterKnownSeries, readBareNumber, readBehindKnownSeries, readOrdinal } from "./rules/bare.js";
import { readBrackets } from "./rules/bracketed.js";
import { readAnnual, readEdition, readSpecial } from "./rules/kinds.js";
import type { Reading } from "./reading.js";
import { readSeason, readVolume } from "./rules/volumes.js";

/** One rule: what it reads, and the name that asked for it. */
export interface NameRule {
  readonly id: string;
  /** A name without which the rule would not be there, and the series and number that it has. */
  readonly example: readonly [name: string, series: string | undefined, number: string | undefined];
  readonly read: (reading: Reading) => void;
}

/** The rules in the order in which they read. A rule leaves alone what one before it has taken. */
export const rules: readonly NameRule[] = [
  { id: "brackets", example: ["[Kage] Moth Patrol 003 (Lamplight, Nov 1952)", "Moth Patrol", "3"], read: readBrackets },
  { id: "alternate", example: ["52 Moth_Patrol_#2", "Moth Patrol", "2"], read: readAlternateNumber },
  { id: "open date", example: ["Moth Patrol 2006-12-00 #4", "Moth Patrol", "4"], read: readOpenDate },
  { id: "week", example: ["Moth Patrol 2019-34", "Moth Patrol", "2019.34"], read: readWeek },
  { id: "annual", example: ["Moth Patrol Annual #2", "Moth Patrol", "Annual 2"], read: readAnnual },
  { id: "special", example: ["Moth Patrol Special #2", "Moth Patrol", "Special 2"], read: readSpecial },
  { id: "number sign", example: ["Moth Patrol #5 Nr. 13", "Moth Patrol", "5"], read: readHash },
  { id: "title first", example: ["Harbour 2099 - Homecoming #02", "Harbour 2099", "2"], read: readTitleBeforeNumber },
  { id: "season", example: ["Moth Patrol S03 E12", "Moth Patrol", "12"], read: readSeason },
  { id: "edition", example: ["Moth Patrol Hard Cover 2", "Moth Patrol", "HC 2"], read: readEdition },
  { id: "volume", example: ["Moth Patrol v6 - 10", "Moth Patrol", "10"], read: readVolume },
  { id: "counters", example: ["夜鐘の少女 第3話", "夜鐘の少女", "3"], read: readCounters },
  { id: "leading counter", example: ["纸翼传说 卷3", "纸翼传说", "Vol. 3"], read: readLeadingCounter },
  { id: "known series", example: ["Moth Patrol 61 - 20", "Moth Patrol 61", "20"], read: readAfterKnownSeries },
  { id: "number word", example: ["Nattklockan Nr 5", "Nattklockan", "5"], read: readNumberWord },
  { id: "range", example: ["Moth Patrol 001-006", "Moth Patrol", "1-6"], read: readRange },
  { id: "count", example: ["Moth Patrol 03 of 06", "Moth Patrol", "3"], read: readCount },
  { id: "notes", example: ["Moth Patrol 12 c2c", "Moth Patrol", "12"], read: readNotes },
  {
    id: "behind the series",
    example: ["Moth Patrol Ver002 028", "Moth Patrol Ver002", "28"],
    read: readBehindKnownSeries,
  },
  { id: "bare number", example: ["moth-patrol-123", "moth-patrol", "123"], read: readBareNumber },
  { id: "ordinal", example: ["The 2nd Night", "The 2nd Night", undefined], read: readOrdinal },
  { id: "notes behind", example: ["Moth Patrol #12 digital", "Moth Patrol", "12"], read: readNotes },
  { id: "year behind", example: ["Moth Patrol #12 2013", "Moth Patrol", "12"], read: readYearBehind },
];
