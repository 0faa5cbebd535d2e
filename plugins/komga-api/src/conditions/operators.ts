import { foldText } from "@longbox/sdk";
import { z } from "zod";

/** What a series or a book has in one field; none for an unknown value. */
export type Facts = readonly (string | number)[];

const text = z.string().max(500);
const dateTime = z.iso.datetime({ offset: true }).or(z.iso.datetime({ local: true }));
const duration = z.string().regex(/^P(?!$)(\d{1,6}W)?(\d{1,6}D)?(T(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?$/);
const author = z.object({ name: text.nullish(), role: text.nullish() });

const valued = <const Operator extends string, Value extends z.ZodType>(operators: readonly Operator[], value: Value) =>
  z.object({ operator: z.enum(operators), value });
const equality = valued(["is", "isNot"], text);
const nullity = z.object({ operator: z.enum(["isNull", "isNotNull"]) });

/** The operators of Komga's document, by the kind of the field. */
export const operatorSchemas = {
  text: equality,
  nullableText: z.union([equality, nullity]),
  words: valued(
    ["is", "isNot", "contains", "doesNotContain", "beginsWith", "doesNotBeginWith", "endsWith", "doesNotEndWith"],
    text,
  ),
  number: z.union([valued(["is", "isNot", "greaterThan", "lessThan"], z.number()), nullity]),
  date: z.union([
    z.object({ operator: z.enum(["before", "after"]), dateTime }),
    z.object({ operator: z.enum(["isInTheLast", "isNotInTheLast"]), duration }),
    nullity,
  ]),
  flag: z.object({ operator: z.enum(["isTrue", "isFalse"]) }),
  author: valued(["is", "isNot"], author),
} as const;
export type FieldKind = keyof typeof operatorSchemas;
export type Operator = z.output<(typeof operatorSchemas)[FieldKind]>;

/** Negated operators hold where the plain one does not, also without a value. */
const negated: Readonly<Record<string, string>> = {
  isNot: "is",
  doesNotContain: "contains",
  doesNotBeginWith: "beginsWith",
  doesNotEndWith: "endsWith",
  isNotInTheLast: "isInTheLast",
  isNotNull: "isNull",
  isFalse: "isTrue",
};

/** Whether an operator holds for what is known. Case and accents of texts do not count. */
export function holds(operator: Operator, facts: Facts): boolean {
  const plain = negated[operator.operator];
  return plain === undefined ? plainly(operator.operator, operator, facts) : !plainly(plain, operator, facts);
}

function plainly(name: string, operator: Operator, facts: Facts): boolean {
  if (name === "isNull" || name === "isTrue") return name === "isNull" ? facts.length === 0 : facts.includes("true");
  if ("dateTime" in operator) return facts.some((fact) => isBeside(name, fact, Date.parse(operator.dateTime)));
  if ("duration" in operator) {
    const since = Date.now() - milliseconds(operator.duration);
    return facts.some((fact) => Date.parse(String(fact)) >= since);
  }
  if (!("value" in operator)) return false;
  const { value } = operator;
  if (typeof value === "number") return facts.some((fact) => isNumber(name, Number(fact), value));
  if (typeof value === "object") return facts.some((fact) => isAuthor(String(fact), value));
  const wanted = foldText(value);
  return facts.some((fact) => isText(name, foldText(String(fact)), wanted));
}

function isBeside(name: string, fact: string | number, moment: number): boolean {
  const at = Date.parse(String(fact));
  return name === "before" ? at < moment : at > moment;
}

function isNumber(name: string, fact: number, wanted: number): boolean {
  if (name === "greaterThan") return fact > wanted;
  return name === "lessThan" ? fact < wanted : fact === wanted;
}

function isText(name: string, fact: string, wanted: string): boolean {
  if (name === "contains") return fact.includes(wanted);
  if (name === "beginsWith") return fact.startsWith(wanted);
  return name === "endsWith" ? fact.endsWith(wanted) : fact === wanted;
}

/** @param fact - `name,role`, as {@link authorFact} writes it */
function isAuthor(fact: string, { name, role }: z.output<typeof author>): boolean {
  const comma = fact.lastIndexOf(",");
  const isNamed = !name || foldText(fact.slice(0, comma)) === foldText(name);
  return isNamed && (!role || foldText(fact.slice(comma + 1)) === foldText(role));
}

export const authorFact = ({ name, role }: { readonly name: string; readonly role: string }): string =>
  `${name},${role}`;

function milliseconds(text: string): number {
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? [];
  const wholeDays = Number(weeks) * 7 + Number(days);
  return (((wholeDays * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
