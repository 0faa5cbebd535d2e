import { types } from "pg";

/** Numbers of PostgreSQL's catalogue of types. */
const oid = { bool: 16, int8: 20, json: 114, numeric: 1700, jsonb: 3802, int8List: 1016, date: 1082 } as const;
const times: readonly number[] = [oid.date, 1114, 1184, 1083, 1266];

const asText = (text: string): string => text;
const asNumber = (text: string): number => Number(text);

/**
 * How a column's text becomes a value: as SQLite gives it, which knows neither booleans nor several sizes of numbers.
 */
export const postgresParsers = {
  getTypeParser(type: number, format?: "text" | "binary"): (text: string) => unknown {
    if (type === oid.int8 || type === oid.numeric) return asNumber;
    if (type === oid.bool) return (text) => (text === "t" ? 1 : 0);
    if (type === oid.json || type === oid.jsonb || times.includes(type)) return asText;
    if (type === oid.int8List) return (text) => text.slice(1, -1).split(",").filter(Boolean).map(asNumber);
    return types.getTypeParser(type, format ?? "text");
  },
};
