const secret = /^(?:.*(?:key|token|secret|password|auth)|pass|r|rss.*|uid|sid|torrent_pass)$/iu;

/** A text without an indexer's key, however it is written. */
export function withoutKey(text: string, apiKey: string): string {
  if (apiKey.length < 4) return text;
  return text.replaceAll(apiKey, "…").replaceAll(encodeURIComponent(apiKey), "…");
}

/** A page's address without parameters that may be keys; undefined where it has the key elsewhere. */
export function pageWithoutKeys(address: string, apiKey: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.username = url.password = url.hash = "";
  for (const name of [...url.searchParams.keys()]) if (secret.test(name)) url.searchParams.delete(name);
  return withoutKey(url.href, apiKey) === url.href ? url.href : undefined;
}
