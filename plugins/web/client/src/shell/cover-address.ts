/** Where the server has a cover in a width of its choosing, near the wanted one. */
export function coverAddress(path: string, width: number): string {
  const url = new URL(path, location.origin);
  url.searchParams.set("w", String(width));
  return url.pathname + url.search;
}
