/** What a word of a file's name announces. */
export type WordRole = "issue" | "chapter" | "volume" | "season" | "annual" | "special" | "of" | "to" | "version";

/** A word that announces something, and the languages in which it does. */
export interface KnownWord {
  readonly role: WordRole;
  readonly languages: readonly string[];
}

/**
 * Words by language and role. A word in capitals counts only where a digit touches it or a point follows: `T3`,
 * `n. 21`.
 */
const table: ReadonlyArray<readonly [string, Partial<Record<WordRole, string>>]> = [
  [
    "English",
    {
      issue: "issue issues iss no nos num number numbers prog progs",
      chapter: "chapter chapters chap chp ch episode episodes ep C",
      volume: "volume volumes vol vols V book books",
      season: "season S",
      annual: "annual",
      special: "special",
      of: "of",
      to: "to thru through",
      version: "ver rev",
    },
  ],
  [
    "German",
    {
      issue: "heft hefte nr nummer ausgabe ausg folge",
      chapter: "kapitel kap",
      volume: "band bände bd",
      season: "staffel",
      annual: "jahresband",
      special: "sonderheft sonderband",
      of: "von",
      to: "bis",
    },
  ],
  [
    "French",
    {
      issue: "n° nº numéro numéros numero N",
      chapter: "chapitre chapitres épisode épisodes",
      volume: "tome tomes livre T",
      season: "saison",
      annual: "annuel",
      special: "hors-série hors-serie hs",
      of: "sur",
      to: "à",
    },
  ],
  [
    "Spanish",
    {
      issue: "núm núms número números numero nº n° fascículo",
      chapter: "capítulo capitulo capítulos cap caps episodio",
      volume: "tomo tomos volumen volúmenes libro",
      season: "temporada",
      annual: "anuario anual",
      special: "especial",
      of: "de",
      to: "al",
    },
  ],
  [
    "Italian",
    {
      issue: "numero numeri albo albi fascicolo uscita N NN",
      chapter: "capitolo capitoli cap episodio",
      volume: "volume volumi libro",
      season: "stagione",
      annual: "annuale annuario",
      special: "speciale",
      of: "di",
    },
  ],
  [
    "Portuguese",
    {
      issue: "edição edicao edições número numero nº",
      chapter: "capítulo capitulo capítulos cap episódio",
      volume: "volume volumes tomo livro",
      season: "temporada",
      annual: "anual anuário",
      special: "especial",
      of: "de",
      to: "a",
    },
  ],
  [
    "Dutch",
    {
      issue: "nr nrs nummer nummers aflevering afl",
      chapter: "hoofdstuk hoofdstukken",
      volume: "deel delen dl",
      season: "seizoen",
      annual: "jaarboek",
      of: "van",
      to: "tot",
    },
  ],
  [
    "Swedish",
    {
      issue: "nr nummer häfte utgåva",
      chapter: "kapitel kap avsnitt",
      volume: "del volym band bok",
      season: "säsong",
      annual: "årsbok",
      special: "specialnummer",
      of: "av",
      to: "till",
    },
  ],
  ["Danish", { issue: "nr nummer hæfte", chapter: "kapitel", volume: "bind", of: "af", to: "til" }],
  ["Norwegian", { issue: "nr nummer hefte", chapter: "kapittel", volume: "bind bok", of: "av", to: "til" }],
  ["Finnish", { issue: "nro numero", chapter: "luku", volume: "osa", to: "–" }],
  [
    "Polish",
    {
      issue: "zeszyt zeszyty nr numer numery",
      chapter: "rozdział rozdziały rozdz odcinek",
      volume: "tom tomy księga",
      season: "sezon",
      special: "specjalny",
      of: "z",
      to: "do",
    },
  ],
  ["Czech", { issue: "číslo č sešit", chapter: "kapitola", volume: "svazek díl kniha", of: "z" }],
  ["Romanian", { issue: "numărul numarul nr", chapter: "capitolul", volume: "volumul", of: "din" }],
  ["Croatian", { issue: "broj br sveska", chapter: "poglavlje", volume: "svezak knjiga", of: "od" }],
  ["Bulgarian", { issue: "брой", chapter: "глава", volume: "том", of: "от" }],
  ["Serbian", { issue: "број бр свеска", volume: "књига" }],
  ["Catalan", { issue: "número núm", chapter: "capítol", volume: "tom volum" }],
  ["Arabic", { issue: "العدد عدد", chapter: "الفصل فصل", volume: "المجلد مجلد الجزء" }],
  ["Persian", { issue: "شماره", chapter: "فصل", volume: "جلد" }],
  ["Hebrew", { issue: "גיליון", chapter: "פרק", volume: "כרך" }],
  ["Hindi", { issue: "अंक", chapter: "अध्याय", volume: "खंड खण्ड भाग" }],
  ["Hungarian", { issue: "szám", chapter: "fejezet", volume: "kötet" }],
  ["Turkish", { issue: "sayı", chapter: "bölüm", volume: "cilt" }],
  ["Indonesian", { issue: "nomor edisi", chapter: "bab", volume: "jilid" }],
  ["Vietnamese", { issue: "số", chapter: "chương chap", volume: "tập quyển" }],
  [
    "Russian",
    {
      issue: "выпуск выпуски вып номер номера №",
      chapter: "глава главы гл серия",
      volume: "том тома книга т",
      season: "сезон",
      annual: "ежегодник",
      special: "спецвыпуск",
      of: "из",
      to: "до по",
    },
  ],
  ["Ukrainian", { issue: "випуск номер", chapter: "розділ", volume: "том", of: "з" }],
  ["Greek", { issue: "τεύχος τεύχη", chapter: "κεφάλαιο", volume: "τόμος" }],
  ["Thai", { chapter: "ตอนที่ ตอน บทที่ บท", volume: "เล่มที่ เล่ม", issue: "ฉบับที่ ฉบับ", to: "ถึง" }],
  ["Korean", { season: "시즌", volume: "볼륨" }],
  ["Japanese", { season: "シーズン" }],
];

/** Counters stand behind a number (`3巻`), and some before it, too (`第3巻`, `卷3`). */
const counters: ReadonlyArray<readonly [string, "issue" | "chapter" | "volume", string]> = [
  ["Japanese", "volume", "巻"],
  ["Japanese", "chapter", "話"],
  ["Chinese", "volume", "卷 册 冊 集 部"],
  ["Chinese", "chapter", "话 話 章 回 节"],
  ["Chinese", "issue", "期 号 號"],
  ["Korean", "volume", "권 부"],
  ["Korean", "chapter", "화 회 장 편"],
  ["Korean", "issue", "호"],
  ["Russian", "volume", "том"],
  ["Russian", "chapter", "глава"],
  ["Russian", "issue", "выпуск"],
];

const whole = new Map<string, KnownWord>();
const brief = new Map<string, KnownWord>();
for (const [language, roles] of table) {
  for (const [role, words] of Object.entries(roles) as Array<[WordRole, string]>) {
    for (const word of words.split(" ")) {
      const map = word === word.toLowerCase() ? whole : brief;
      const key = word.toLowerCase();
      const known = map.get(key);
      map.set(key, { role: known?.role ?? role, languages: [...(known?.languages ?? []), language] });
    }
  }
}

/** `Part 2` announces a number only where nothing else does: mostly it is in titles. */
export const partWords: ReadonlySet<string> = new Set("part pt teil partie parte del часть część".split(" "));

const counterWords = new Map<string, KnownWord>();
for (const [language, role, words] of counters) {
  for (const word of words.split(" ")) {
    const known = counterWords.get(word);
    counterWords.set(word, { role: known?.role ?? role, languages: [...(known?.languages ?? []), language] });
  }
}

/** @param key - the word in small letters @param isBrief - whether a digit touches it or a point follows */
export function knownWord(key: string, isBrief: boolean): KnownWord | undefined {
  return whole.get(key) ?? (isBrief ? brief.get(key) : undefined);
}

/** The counter with which a text begins. */
export function counterAt(text: string): (KnownWord & { readonly word: string }) | undefined {
  const single = counterWords.get(text.slice(0, 1));
  if (single) return { ...single, word: text.slice(0, 1) };
  const longer = counterWords.get(text);
  return longer && { ...longer, word: text };
}

/** Prefixes of a counted number. */
export const counterPrefixes: ReadonlySet<string> = new Set(["第", "제", "全"]);
/** Counters that may stand before their number instead: `卷3`. */
export const leadingCounters: ReadonlySet<string> = new Set(["卷", "巻", "话", "話"]);

/** Thai is written without blanks, so that the word may be the end of the series' name. */
export const joinedWords: readonly string[] = ["ตอนที่", "บทที่", "เล่มที่", "เล่ม", "ตอน", "บท", "ฉบับที่"];

const monthNames =
  "january jan januar janvier enero gennaio janeiro januari styczeń январь january " +
  "| february feb februar février febrero febbraio fevereiro februari luty февраль févr fév " +
  "| march mar märz mars marzo março maart marzec март mär mrt " +
  "| april apr avril abril aprile kwiecień апрель avr abr " +
  "| may mai mayo maggio maio mei maj май " +
  "| june jun juni juin junio giugno junho czerwiec июнь giu " +
  "| july jul juli juillet julio luglio julho lipiec июль juil lug " +
  "| august aug août agosto augustus augusti sierpień август ago " +
  "| september sep sept septembre septiembre settembre setembro wrzesień сентябрь set " +
  "| october oct oktober octobre octubre ottobre outubro październik октябрь okt ott out " +
  "| november nov novembre noviembre novembro listopad ноябрь " +
  "| december dec dezember décembre diciembre dicembre dezembro grudzień декабрь dez dic déc";

const months = new Map<string, number>();
for (const [index, names] of monthNames.split("|").entries())
  for (const name of names.trim().split(" ")) if (!months.has(name)) months.set(name, index + 1);

/** 1 to 12. */
export const monthOf = (key: string): number | undefined => months.get(key);

export const seasonsOfYear: ReadonlySet<string> = new Set(
  "spring summer autumn fall winter frühling sommer herbst printemps été automne hiver primavera verano otoño invierno".split(
    " ",
  ),
);

/** What scanners and packers note about a file. */
export const notes: ReadonlySet<string> = new Set(
  "c2c ctc digital noads webrip webscan scan scans scanned scanlation repaired fixed hybrid upscaled retail raw downsized cropped rescan".split(
    " ",
  ),
);

/** Ordinals are words: `2nd`, `8ste`. */
export const ordinals: ReadonlySet<string> = new Set("st nd rd th er e ste de º ª o a".split(" ").slice(0, 8));
