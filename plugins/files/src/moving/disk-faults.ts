const sentences: Readonly<Record<string, string>> = {
  EROFS: "The disk is read-only: the server may read it and not write to it.",
  EACCES: "The server may not write there: the folder's permissions do not allow it.",
  EPERM: "The server may not do this there: the file system does not allow it.",
  ENOSPC: "The disk is full.",
  EDQUOT: "The quota of the disk is used up.",
  ENAMETOOLONG: "The name is too long for the disk.",
  ENOENT: "The file is no longer there.",
  EIO: "The disk reports a fault.",
  EBUSY: "Another program keeps the file busy.",
  ELOOP: "A link leads in a circle.",
};

/** The failure as a sentence for users. It never contains a path. */
export function sentenceOf(thrown: unknown): string {
  const { code } = thrown as NodeJS.ErrnoException;
  if (typeof code === "string" && code in sentences) return sentences[code]!;
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return `The file system refused it (${code}).`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
