/** What a server answers in place of XML, as a sentence; undefined when it may be XML. */
export function whyNotXml(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder()
    .decode(bytes.subarray(0, 1_024))
    .replace(/^\uFEFF/u, "")
    .trimStart();
  if (start === "") return "The answer is empty.";
  if (/^<(?:!doctype\s+html|html|head|body)\b/iu.test(start) || /<html\b/iu.test(start))
    return "The answer is a web page.";
  if (start.startsWith("{") || start.startsWith("[")) return "The answer is JSON, not XML.";
  return start.startsWith("<") ? undefined : "The answer is not XML.";
}
