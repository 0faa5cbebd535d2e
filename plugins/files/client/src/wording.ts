/** `Moth Patrol (2019)`. */
export function named(name: string, year: number | null | undefined): string {
  return year === null || year === undefined ? name : `${name} (${year})`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
