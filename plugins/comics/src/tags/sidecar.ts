/** Where tags stand that are kept beside an archive: `Moth Patrol 001.ComicInfo.xml` for `Moth Patrol 001.cbz`. */
export function sidecarName(archivePath: string): string {
  const dot = archivePath.lastIndexOf(".");
  const base = dot > archivePath.lastIndexOf("/") ? archivePath.slice(0, dot) : archivePath;
  return `${base}.ComicInfo.xml`;
}
