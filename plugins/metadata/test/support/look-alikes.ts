import type { ReadFile } from "@longbox/collection/contract";
import { seededRandom, type SeededRandom } from "@longbox/test/fixtures";
import type { VolumeSpec } from "./provider.ts";

/** A small library with one series, and what the provider has under names like its own. */
export interface LookAlike {
  readonly volumes: readonly VolumeSpec[];
  /** The volume of the series; undefined when the provider does not have it. */
  readonly truth: number | undefined;
  readonly files: readonly ReadFile[];
  /**
   * The volume of the annuals that lie with the issues; undefined where there are none, or the provider does not have
   * it.
   */
  readonly annuals: { readonly truth: number | undefined; readonly paths: readonly string[] };
  /** The seed of the drawing on the cover of each file. */
  readonly covers: ReadonlyMap<string, number>;
  /** What kind of series it is, for reports. */
  readonly about: string;
}

/** A volume as the world has it; the provider and the library know parts of it. */
interface RealVolume {
  readonly id: number;
  readonly name: string;
  readonly year: number;
  readonly publisher: string;
  readonly first: number;
  readonly count: number;
  readonly coverSeed: number;
  readonly deck?: string;
  readonly aliases?: string;
  readonly titles: "known" | "unknown" | "volumes";
  readonly language: string;
}

const syllables = "ba ke li mo nu ra se ti vo zu dan fer gil hax jor kal lem mir nox pel".split(" ");
const publishers = ["Lamplight", "Candela Comics", "Harbour House", "Tin Roof Press"];
const abroad = ["Panorama Verlag", "Editorial Norte", "Lanterna Libri"];

/** The `index`th library of a seed; ids of different indexes never meet. */
export function lookAlike(index: number, seed: number): LookAlike {
  const random = seededRandom(seed * 100_003 + index);
  const word = (length: number) => Array.from({ length }, () => random.pick(syllables)).join("");
  const name = `${capital(`${word(2)}${index.toString(36)}${word(1)}`)} ${capital(word(2))}`;
  const main = realVolume(random, { id: (index + 1) * 100, name });
  const world = [main, ...neighbours(main, random)];
  const owned = random.next() < 0.75 ? main : random.pick(world);
  const isMissing = random.next() < 0.05;
  const known = isMissing ? world.filter(({ id }) => id !== owned.id) : world;
  const library = libraryOf(owned, index, random);
  const beside = annualsBeside({ owned, main, world }, library, seededRandom(seed * 7_919 + index));
  return {
    annuals: { truth: known.find(({ id }) => id === beside.volumeId)?.id, paths: beside.files.map(({ path }) => path) },
    files: [...library.files, ...beside.files],
    covers: new Map([...library.covers, ...beside.covers]),
    volumes: known.map((volume) => atProvider(volume, random)),
    truth: isMissing ? undefined : owned.id,
    about: `${describe(owned, main)}${isMissing ? ", not at the provider" : ""}`,
  };
}

interface Library {
  readonly files: readonly ReadFile[];
  readonly covers: ReadonlyMap<string, number>;
}

interface World {
  readonly owned: RealVolume;
  readonly main: RealVolume;
  readonly world: readonly RealVolume[];
}

/** Of half the series that have annuals, some lie in the folder with the issues, named after the series. */
function annualsBeside(
  { owned, main, world }: World,
  { files: [first] }: Library,
  random: SeededRandom,
): Library & { readonly volumeId: number | undefined } {
  const volume = world.find(({ name }) => name === `${main.name} Annual`);
  const isBeside = random.next() < 0.5;
  if (!volume || owned.id !== main.id || !first || !isBeside)
    return { volumeId: undefined, files: [], covers: new Map() };
  const covers = new Map<string, number>();
  const hasDates = random.next() < 0.8;
  const count = random.between(1, volume.count);
  const files = Array.from({ length: count }, (_, at): ReadFile => {
    const number = `Annual ${volume.first + at}`;
    const path = first.path.replace(/[^/]*$/, `${number}.cbz`);
    const { year, month } = dateOf(volume, at);
    const coverDate = hasDates ? `${year}-${String(month).padStart(2, "0")}-01` : undefined;
    if (random.next() < 0.9) covers.set(path, coverOf(volume, at));
    return { ...first, path, name: `${number}.cbz`, issue: { number, kind: "annual", coverDate } };
  });
  return { volumeId: volume.id, files, covers };
}

function describe(owned: RealVolume, main: RealVolume): string {
  const kind = / Annual$/.test(owned.name) ? "annuals" : owned.language === "en" ? "issues" : "translation";
  const numbering = owned.first > 1 ? ", legacy numbering" : "";
  return `${kind}${owned.titles === "volumes" ? ", collected" : ""}${numbering}${owned.id === main.id ? "" : ", a neighbour"}`;
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

function realVolume(random: SeededRandom, volume: { readonly id: number; readonly name: string }): RealVolume {
  return {
    ...volume,
    year: random.between(1960, 2020),
    publisher: random.pick(publishers),
    first: random.next() < 0.15 ? random.between(100, 700) : 1,
    count: random.next() < 0.1 ? 1 : random.between(2, 40),
    coverSeed: volume.id,
    titles: random.next() < 0.4 ? "known" : "unknown",
    language: "en",
  };
}

/** What has nearly the same name: relaunches, annuals, translations, collected editions, continued numberings. */
function neighbours(main: RealVolume, random: SeededRandom): RealVolume[] {
  let id = main.id;
  const beside = (change: Partial<RealVolume>): RealVolume => {
    id += 1;
    return { ...main, first: 1, count: random.between(1, 30), coverSeed: id, titles: "unknown", ...change, id };
  };
  const sometimes = (share: number, change: () => Partial<RealVolume>) =>
    random.next() < share ? [beside(change())] : [];
  const { year, name } = main;
  return [
    ...sometimes(0.5, () => ({ year: year + random.between(2, 12) })),
    ...sometimes(0.3, () => ({ year: year - random.between(2, 20) })),
    ...sometimes(0.1, () => ({ year: year + random.pick([-1, 1]) })),
    ...sometimes(0.2, () => ({ year: year + random.between(3, 9), first: main.first + main.count })),
    ...sometimes(0.4, () => ({
      name: `${name} Annual`,
      year: year + random.between(0, 2),
      count: random.between(1, 9),
    })),
    ...sometimes(0.25, () => ({ ...collected(main), year: year + random.between(0, 2) })),
    ...sometimes(0.08, () => translation(main, random)),
    ...sometimes(0.1, () => ({ year, publisher: random.pick(abroad) })),
    ...sometimes(0.3, () => ({ name: `${name}: ${capital(random.pick(syllables))} War`, year })),
    ...sometimes(0.2, () => ({ name: `The ${name}`, year: year + random.between(4, 20) })),
    ...sometimes(0.1, () => ({ name: `Tales of ${capital(random.pick(syllables))}`, aliases: name, year: year + 3 })),
  ];
}

const collected = (main: RealVolume): Partial<RealVolume> => ({
  titles: "volumes",
  count: Math.max(1, Math.floor(main.count / 6)),
});

/** With the covers of the original. */
function translation(main: RealVolume, random: SeededRandom): Partial<RealVolume> {
  return {
    year: main.year + random.between(0, 1),
    publisher: random.pick(abroad),
    language: "de",
    deck: `German translation of ${main.name}.`,
    coverSeed: main.coverSeed,
    first: main.first,
    count: main.count,
  };
}

/** Issues are monthly; annuals and collected editions come once a year. */
function dateOf(volume: RealVolume, at: number): { year: number; month: number } {
  const months = / Annual$/.test(volume.name) || volume.titles === "volumes" ? at * 12 : at;
  return { year: volume.year + Math.floor(months / 12), month: (months % 12) + 1 };
}

function titleOf(volume: RealVolume, at: number): string | null {
  if (volume.titles === "volumes") return `Volume ${at + 1}`;
  if (volume.titles === "unknown") return null;
  const random = seededRandom(volume.id * 1000 + at);
  return `The ${capital(random.pick(syllables) + random.pick(syllables))} ${capital(random.pick(syllables))}`;
}

const coverOf = ({ coverSeed }: RealVolume, at: number) => coverSeed * 1000 + at;

function atProvider(volume: RealVolume, random: SeededRandom): VolumeSpec {
  return {
    id: volume.id,
    name: volume.name,
    start_year: String(volume.year),
    publisher: volume.publisher,
    deck: volume.deck ?? null,
    aliases: volume.aliases ?? null,
    issues: Array.from({ length: volume.count }, (_, at) => {
      const { year, month } = dateOf(volume, at);
      return {
        id: volume.id * 1000 + at,
        issue_number: String(volume.first + at),
        name: titleOf(volume, at),
        cover_date: `${year}-${String(month).padStart(2, "0")}-01`,
        image: random.next() < 0.03 ? null : { super_url: coverPath(coverOf(volume, at)) },
      };
    }),
  };
}

/** Where the provider has the image of a cover; the stand-in completes it. */
export const coverPath = (seed: number) => `/images/cover-${seed}.png`;

interface Knowledge {
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly language: string | undefined;
  readonly hasDates: boolean;
  readonly hasTitles: boolean;
}

function libraryOf(volume: RealVolume, index: number, random: SeededRandom): Library {
  const chance = random.next();
  const knowledge: Knowledge = {
    year: chance < 0.8 ? volume.year : chance < 0.85 ? volume.year + random.pick([-1, 1]) : undefined,
    publisher: random.next() < 0.4 ? volume.publisher : undefined,
    language: volume.language === "en" ? (random.next() < 0.4 ? "en" : undefined) : volume.language,
    hasDates: random.next() < 0.6,
    hasTitles: random.next() < 0.3,
  };
  const isAnnual = / Annual$/.test(volume.name);
  // A flat folder gives annuals the name of their parent, and a folder of theirs the volume's.
  const namesParent = isAnnual && random.next() < 0.5;
  const name = namesParent ? volume.name.replace(/ Annual$/, "") : spelled(volume.name, random);
  const series = { name, knowledge, kind: namesParent ? ("annual" as const) : ("issue" as const) };
  const covers = new Map<string, number>();
  const most = volume.count === 1 ? 1 : random.between(1, volume.count);
  const from = random.between(0, volume.count - most);
  const files = Array.from({ length: most }, (_, step) => {
    const at = from + step;
    const file = fileOf({ volume, at, index }, series, random);
    // Some files have a variant cover, and some cannot be read.
    if (random.next() < 0.95) covers.set(file.path, random.next() < 0.07 ? -coverOf(volume, at) : coverOf(volume, at));
    return file;
  });
  return { files, covers };
}

/** How people write titles. */
function spelled(name: string, random: SeededRandom): string {
  const chance = random.next();
  if (chance < 0.05) return name.replace(/^The (.*)$/, "$1, The");
  if (chance < 0.1) return name.replace(": ", " - ");
  return chance < 0.15 ? name.toUpperCase() : name;
}

function fileOf(
  { volume, at, index }: { readonly volume: RealVolume; readonly at: number; readonly index: number },
  { name, knowledge, kind }: { name: string; knowledge: Knowledge; kind: "annual" | "issue" },
  random: SeededRandom,
): ReadFile {
  const folder = `/library/${index}/${name}${knowledge.year === undefined ? "" : ` (${knowledge.year})`}`;
  const number = `${kind === "annual" ? "Annual " : ""}${volume.first + at}`;
  const date = dateOf(volume, at);
  const year = random.next() < 0.05 ? date.year + random.pick([-1, 1]) : date.year;
  const title = knowledge.hasTitles ? titleOf(volume, at) : null;
  return {
    libraryId: 1,
    path: `${folder}/${number}.cbz`,
    name: `${number}.cbz`,
    sizeBytes: 1,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: 20,
    valid: true,
    tagged: false,
    series: { name, folder, year: knowledge.year, publisher: knowledge.publisher },
    issue: {
      number,
      kind,
      title: title ?? undefined,
      language: knowledge.language,
      coverDate: knowledge.hasDates ? `${year}-${String(date.month).padStart(2, "0")}-01` : undefined,
    },
  };
}
