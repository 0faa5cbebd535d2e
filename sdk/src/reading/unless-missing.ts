/**
 * What a file system call found, or undefined when there is no such file or folder. Other failures are thrown: a file
 * that may not be read, or a disk that fails, is not an absent file.
 * @example if (await unlessMissing(stat(path))) throw new Conflict(…)
 */
export async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw fault;
  }
}
