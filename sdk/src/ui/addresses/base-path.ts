/**
 * Where Longbox begins on its host: `/longbox` behind a proxy that serves other programs too, otherwise nothing. The
 * page of the web interface says it.
 */
export const basePath: string = typeof document === "undefined" ? "" : (document.documentElement.dataset["base"] ?? "");

/**
 * The address for the browser of a path of this server: for `fetch`, the `src` of a new image, `location`. Paths in
 * answers of the API, in `longbox.api`, `longbox.navigate` and in templates begin at Longbox's root and need nothing.
 * @param path - Such as `/api/issue/7/cover`; whole addresses stay as they are
 */
export function addressOf(path: string): string {
  return path.startsWith("/") && !path.startsWith("//") ? basePath + path : path;
}

/** The path that an address of this server stands for: `link.href` gives `/shelves/7`. */
export function pathOf(address: string | URL): string {
  const { pathname } = new URL(address);
  return isBelowBase(pathname) ? pathname.slice(basePath.length) : pathname;
}

/**
 * Whether the path of an address, as the browser shows it, leads to this server and not to another program of its host.
 */
export function isBelowBase(pathname: string): boolean {
  return pathname.startsWith(`${basePath}/`);
}
