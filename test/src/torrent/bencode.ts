export type Bencodable = number | string | Uint8Array | readonly Bencodable[] | { readonly [key: string]: Bencodable };

/** Writes a value in the form of torrents; keys are sorted, texts are UTF-8. */
export function bencode(value: Bencodable): Buffer {
  if (typeof value === "number") return Buffer.from(`i${value}e`);
  if (typeof value === "string") return bencode(Buffer.from(value));
  if (value instanceof Uint8Array) return Buffer.concat([Buffer.from(`${value.length}:`), value]);
  if (Array.isArray(value)) return enclosed("l", value.map(bencode));
  const keys = Object.entries(value as Record<string, Bencodable>).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return enclosed(
    "d",
    keys.flatMap(([key, each]) => [bencode(key), bencode(each)]),
  );
}

function enclosed(start: string, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(start), ...parts, Buffer.from("e")]);
}
