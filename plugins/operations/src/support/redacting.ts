const secretName =
  /(pass(word|phrase)?|secret|token|api[-_]?key|apikey|instance[-_]?key|credential|authori[sz]ation|cookie|session|private[-_]?key)$/i;
const secretInText: ReadonlyArray<readonly [RegExp, string]> = [
  [/\blbx_[A-Za-z0-9]{8,}/g, "lbx_********"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, "$1 ********"],
  [
    /([?&;](?:api[-_]?key|apikey|key|token|access_token|secret|password|passwd|pwd|sig|signature|auth|r|t)=)[^&\s"'<>;]+/gi,
    "$1********",
  ],
  // A scheme is short: without a bound, a long text without spaces would be gone through once for each of its letters.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^/\s:@]+:[^/\s@]+@/gi, "$1********@"],
  [/(longbox_session=)[^;\s"']+/gi, "$1********"],
  [/("?(?:password|passwd|secret|token|api_?key|instance_?key)"?\s*[:=]\s*"?)[^"\s,}]{3,}/gi, "$1********"],
];

/**
 * Takes out what looks like a secret: values under telling names, and keys, passwords and tokens inside texts and URLs.
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && inner !== "" && typeof inner !== "boolean" ? "********" : redact(inner),
    ]),
  );
}

function redactText(text: string): string {
  return secretInText.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}
