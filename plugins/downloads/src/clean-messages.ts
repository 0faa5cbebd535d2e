const longest = 500;

/** Query strings of addresses, and long runs of letters and digits, may be keys. */
const hidden: ReadonlyArray<readonly [RegExp, string]> = [
  [/([?&;][^=\s&;]{1,60}=)[^&;\s"'<>]+/gu, "$1…"],
  [/\/\/[^/@\s]+@/gu, "//"],
  [/\b(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{24,}\b/gu, "…"],
];

/** A message of something that failed, without what may be a key, and of a bearable length. */
export function cleanMessage(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return hidden.reduce((message, [pattern, put]) => message.replaceAll(pattern, put), text).slice(0, longest);
}
