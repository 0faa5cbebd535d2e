import type { ClientPart } from "@longbox/kernel/api";
import type { ClientSubjects } from "@longbox/sdk/client";

type DeclaredAction = ClientPart["actions"][number];
type Item = ClientSubjects["items"][number];

/** Whether an action applies to these subjects, by their kind, number, ownership and fields. */
export function fits(action: DeclaredAction, { kind, items }: ClientSubjects): boolean {
  if (!action.subjects.includes(kind)) return false;
  if (action.selection === "one" && items.length !== 1) return false;
  if (action.selection === "many" && items.length < 2) return false;
  return items.every((item) => isHeld(action, item) && hasFields(action, item));
}

function isHeld({ holding }: DeclaredAction, { owned }: Item): boolean {
  // `owned` is a count for a series and a boolean for an issue.
  if (holding === "both" || owned === undefined) return true;
  return Boolean(owned) === (holding === "owned");
}

function hasFields({ when }: DeclaredAction, item: Item): boolean {
  return Object.entries(when).every(([name, value]) => {
    if (Array.isArray(value)) return value.some((one) => one === item[name]);
    return typeof value === "object" ? Number(item[name] ?? 0) >= value.min : (item[name] ?? false) === value;
  });
}

/** `{name}` stands for a field of the subject. */
export function fillPath(template: string, item: Item): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(item[name] ?? "")));
}

/** `{count}` stands for how many subjects there are, any other name for a field of the first. */
export function fillText(template: string, { items }: ClientSubjects): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "count" ? String(items.length) : String(items[0]?.[name] ?? ""),
  );
}

/** `"{name}"` alone keeps the type of the field; `"{name[]}"` alone is a list with that field of all subjects. */
export function fillBody(template: unknown, items: readonly Item[]): unknown {
  if (Array.isArray(template)) return template.map((part) => fillBody(part, items));
  if (typeof template === "object" && template !== null)
    return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fillBody(part, items)]));
  if (typeof template !== "string") return template;
  const all = /^\{(\w+)\[\]\}$/.exec(template)?.[1];
  if (all !== undefined) return items.map((item) => item[all]);
  const one = /^\{(\w+)\}$/.exec(template)?.[1];
  return one === undefined ? template : items[0]?.[one];
}
