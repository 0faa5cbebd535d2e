import { z } from "zod";
import { WrongCondition } from "../komga-errors.js";
import { holds, operatorSchemas, type Facts, type FieldKind, type Operator } from "./operators.js";

/** A condition of an app: fields with operators, joined by `allOf` and `anyOf`. */
export type Condition =
  | { readonly kind: "all" | "any"; readonly parts: readonly Condition[] }
  | { readonly kind: "field"; readonly field: string; readonly operator: Operator };

/** The fields that conditions can name, with the kinds of their values. */
export type Fields = Readonly<Record<string, FieldKind>>;

const mostDepth = 10;
const mostParts = 200;
const objectSchema = z.record(z.string(), z.unknown());
const listSchema = z.array(z.unknown()).max(mostParts);

/**
 * Reads a condition of a request. It is read step by step and not by one schema, so that nested ones are refused before
 * they are followed.
 * @throws {WrongCondition}
 */
export function readCondition(given: unknown, fields: Fields, depth = 0): Condition {
  if (depth > mostDepth) throw new WrongCondition(`is nested deeper than ${mostDepth} levels`);
  const entries = Object.entries(objectSchema.safeParse(given).data ?? {});
  const [[name, value] = ["", undefined]] = entries;
  if (entries.length !== 1) throw new WrongCondition("must be an object with one field");
  if (name === "allOf" || name === "anyOf") {
    const parts = listSchema.safeParse(value);
    if (!parts.success) throw new WrongCondition(`${name} must be a list of at most ${mostParts} conditions`);
    const kind = name === "allOf" ? "all" : "any";
    return { kind, parts: parts.data.map((part) => readCondition(part, fields, depth + 1)) };
  }
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) throw new WrongCondition(`must not name ${name.slice(0, 40)}: it is unknown here`);
  const operator = operatorSchemas[field].safeParse(value);
  if (!operator.success) throw new WrongCondition(`${name} has no operator of Komga with its value`);
  return { kind: "field", field: name, operator: operator.data };
}

/**
 * Whether a condition holds; undefined when that depends on facts that are not known yet.
 * @param factsOf - undefined for a field that was not read yet
 */
export function evaluate(condition: Condition, factsOf: (field: string) => Facts | undefined): boolean | undefined {
  if (condition.kind === "field") {
    const facts = factsOf(condition.field);
    return facts && holds(condition.operator, facts);
  }
  const results = condition.parts.map((part) => evaluate(part, factsOf));
  const decisive = condition.kind === "any";
  if (results.includes(decisive)) return decisive;
  return results.includes(undefined) ? undefined : !decisive;
}

/** Whether a field is named anywhere in a condition. */
export function names(condition: Condition, field: string): boolean {
  return condition.kind === "field" ? condition.field === field : condition.parts.some((part) => names(part, field));
}

export const everything: Condition = { kind: "all", parts: [] };
