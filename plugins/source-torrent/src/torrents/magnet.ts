const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const longestName = 255;
const mostTrackers = 30;

export interface Magnet {
  /** Lower-case hex, as of a torrent. */
  readonly infoHash: string;
  readonly hashes: readonly string[];
  /** The hash, the name and the trackers, and nothing else: other parts can send a client to any address. */
  readonly uri: string;
}

/** Reads a magnet link; undefined when it names no torrent. */
export function readMagnet(text: string): Magnet | undefined {
  if (!/^magnet:\?/iu.test(text)) return undefined;
  const given = new URLSearchParams(text.slice(text.indexOf("?") + 1).replaceAll("&amp;", "&"));
  const topics = given.getAll("xt").map((topic) => topic.toLowerCase());
  const first = topics.map(firstHash).find((hash) => hash !== undefined);
  const second = topics.map((topic) => /^urn:btmh:1220([0-9a-f]{64})$/u.exec(topic)?.[1]).find(Boolean);
  const hashes = [first, second].filter((hash) => hash !== undefined);
  const [infoHash] = hashes;
  if (infoHash === undefined) return undefined;
  const parts = [
    ...(first === undefined ? [] : [`xt=urn:btih:${first}`]),
    ...(second === undefined ? [] : [`xt=urn:btmh:1220${second}`]),
    ...given
      .getAll("dn")
      .slice(0, 1)
      .map((name) => `dn=${encodeURIComponent(name.slice(0, longestName))}`),
    ...given
      .getAll("tr")
      .filter(isTracker)
      .slice(0, mostTrackers)
      .map((url) => `tr=${encodeURIComponent(url)}`),
  ];
  return { infoHash, hashes, uri: `magnet:?${parts.join("&")}` };
}

/** A hash of version 1 in hex; in base32 it is decoded. */
export function readInfoHash(text: string): string | undefined {
  const hash = text.trim().toLowerCase();
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(hash)) return hash;
  return /^[a-z2-7]{32}$/u.test(hash) ? fromBase32(hash) : undefined;
}

function firstHash(topic: string): string | undefined {
  const hash = topic.startsWith("urn:btih:") ? readInfoHash(topic.slice("urn:btih:".length)) : undefined;
  return hash?.length === 40 ? hash : undefined;
}

function fromBase32(text: string): string {
  const bits = [...text].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, "0")).join("");
  return (bits.match(/.{4}/gu) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join("");
}

function isTracker(url: string): boolean {
  return URL.canParse(url) && /^(?:https?|udp|wss?):$/u.test(new URL(url).protocol);
}
