const prefix = "longbox-";

/** The label by which a client knows the torrent of an attempt. */
export const labelOf = (key: string) => `${prefix}${key}`;
export const isOwnLabel = (label: string) => label.startsWith(prefix);

/**
 * The id of a download: the torrent and the attempt. With the hash alone, cleaning up after an attempt would remove the
 * same torrent that a later attempt has added.
 */
export const idOf = (hash: string, key: string) => `${hash}:${key}`;

export function readId(id: string): { readonly hash: string; readonly key: string } {
  const [hash = "", key = ""] = id.split(":");
  return { hash, key };
}
