import { foldText } from "@longbox/sdk";
import { AgainstPolicy } from "../errors.js";
import type { RequestSettings } from "../settings.js";
import type { RequestKind } from "../tables.js";

/** The properties of a request that the policy checks. */
export interface Asked {
  readonly kind: RequestKind;
  readonly title: string;
  readonly publisher: string | undefined;
}

const kinds = {
  comic: ["comics", "Comics"],
  ebook: ["ebooks", "E-books"],
  audiobook: ["audiobooks", "Audiobooks"],
} as const satisfies Record<RequestKind, readonly [keyof RequestSettings, string]>;

/** Words in titles that mark collected editions. */
const collected =
  /\b(?:omnibus|tpb|trade paperback|collected edition|complete collection|epic collection|deluxe edition|hardcover|compendium|absolute|masterworks|essential)\b/i;

/** Words in the names of publishers from Japan, Korea and China, and of publishers of translations from there. */
const nonWestern = [
  "akita shoten",
  "carlsen manga",
  "daewon",
  "futabasha",
  "hakusensha",
  "houbunsha",
  "ichijinsha",
  "j-novel",
  "kadokawa",
  "kana",
  "kaze manga",
  "ki-oon",
  "kodansha",
  "kurokawa",
  "lezhin",
  "mag garden",
  "naver",
  "pika",
  "seven seas",
  "shogakukan",
  "shonen gahosha",
  "shueisha",
  "square enix",
  "takeshobo",
  "tokyopop",
  "tong li",
  "vertical comics",
  "viz",
  "yen press",
].map(foldText);

/** @throws {AgainstPolicy} with the reason */
export function checkPolicy(asked: Asked, settings: RequestSettings): void {
  const [allowed, name] = kinds[asked.kind];
  if (!settings[allowed]) throw new AgainstPolicy(`${name} cannot be requested on this server.`);
  if (asked.kind === "comic" && !settings.collectedEditions && collected.test(asked.title))
    throw new AgainstPolicy("Collected editions cannot be requested on this server.");
  const publisher = foldText(asked.publisher ?? "");
  if (publisher === "") return;
  const isNamed = (names: readonly string[]) => names.some((one) => ` ${publisher} `.includes(` ${one} `));
  if (asked.kind === "comic" && !settings.nonWestern && isNamed(nonWestern))
    throw new AgainstPolicy("Comics of this publisher's country cannot be requested on this server.");
  if (isNamed(listed(settings.refusedPublishers).map(foldText)))
    throw new AgainstPolicy(`Titles of ${asked.publisher} cannot be requested on this server.`);
}

/** Names that a setting separates by commas. */
export function listed(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
