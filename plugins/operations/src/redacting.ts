const secretName = /(pass(word|phrase)?|secret|token|api[-_]?key|apikey|instance[-_]?key|credential|authori[sz]ation|cookie|session|private[-_]?key)$/i;
const secretInText: ReadonlyArray<readonly [RegExp, string]> = [
  [/\blbx_[A-Za-z0-9]{8,}/g, "lbx_********"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, "$1 ********"],
  [/([?&;](?:api[-_]?key|apikey|key|token|access_token|secret|password|passwd|pwd|sig|signature|auth|r|t)=)[^&\s"'<>;]+/gi, "$1********"],
  [/([a-z][a-z0-9+.-]*:\/\/)[^/\s:@]+:[^/\s@]+@/gi, "$1********@"],
  [/(longbox_session=)[^;\s"']+/gi, "$1********"],
  [/("?(?:password|passwd|secret|token|api_?key|instance_?key)"?\s*[:=]\s*"?)[^"\s,}]{3,}/gi, "$1********"],
];

/**
 * Takes secrets out of anything that leaves the house: values under telling names, and keys, passwords and tokens
 * inside texts and URLs. `known` are secrets in their own words, such as the values of secret settings.
 */
export function redact(value: unknown, known: readonly string[] = []): unknown {
  if (typeof value === "string") return redactText(value, known);
  if (Array.isArray(value)) return value.map((item) => redact(item, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, secretName.test(name) && inner !== "" && typeof inner !== "boolean" ? "********" : redact(inner, known)]));
}

export function redactText(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret.length >= 4) clean = clean.replaceAll(secret, "********");
  for (const [pattern, instead] of secretInText) clean = clean.replace(pattern, instead);
  return clean;
}
