import { foldWords } from "@longbox/sdk";

export type NameLikeness = "same" | "similar" | "other";

/** Whether two lists of authors have a person in common, by the best fitting pair. */
export function compareAuthors(own: readonly string[], theirs: readonly string[]): NameLikeness {
  const pairs = own.flatMap((one) => theirs.map((other) => compareNames(one, other)));
  return pairs.includes("same") ? "same" : pairs.includes("similar") ? "similar" : "other";
}

/** `Quill, Ada` is `Ada Quill`; `A. M. Quill` may be `Ada Mary Quill`. */
function compareNames(one: string, other: string): NameLikeness {
  const [left, right] = [nameParts(one), nameParts(other)];
  if (left.join(" ") === right.join(" ")) return "same";
  if (left.toSorted().join(" ") === right.toSorted().join(" ")) return "same";
  const sameSurname = left.at(-1) === right.at(-1) && left.length > 1 && right.length > 1;
  return sameSurname && fitsInitials(left.slice(0, -1), right.slice(0, -1)) ? "similar" : "other";
}

function nameParts(name: string): string[] {
  const [last, first, ...rest] = name.split(",");
  const straight = first !== undefined && rest.length === 0 ? `${first} ${last}` : name;
  return foldWords(straight).split(" ");
}

/** Each given name is the other one, or its initial; names that one of them leaves out do not count. */
function fitsInitials(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((name, index) => {
    const their = other[index]!;
    return name === their || (Math.min(name.length, their.length) === 1 && name[0] === their[0]);
  });
}
