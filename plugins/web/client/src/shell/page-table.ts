/** A page of the UI, whether the shell's own or a plugin's. */
export interface PageDefinition {
  /** Parameters as in `/series/:id`. */
  readonly path: string;
  readonly element: string;
  readonly title: string;
  /** Whether navigation stands around the page, or it has the whole window. */
  readonly chrome: boolean;
  readonly permission?: string | undefined;
  /** The plugin that brings it; undefined for the shell's own. */
  readonly plugin?: string | undefined;
  /** Makes sure that the element is defined. */
  load(): Promise<unknown>;
}

export interface PageMatch {
  readonly url: URL;
  readonly page: PageDefinition | undefined;
  readonly params: Readonly<Record<string, string>>;
}

/** The first page whose path fits, the shell's before the plugins'. */
export function matchPage(url: URL, pages: readonly PageDefinition[]): PageMatch {
  for (const page of pages) {
    const params = matchPath(page.path, url.pathname);
    if (params) return { url, page, params };
  }
  return { url, page: undefined, params: {} };
}

/** The parameters of a path that fits the pattern, or undefined. `:name` takes one segment. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = segments(pattern);
  const given = segments(path);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined;
      continue;
    }
    const decoded = decode(value);
    if (decoded === undefined) return undefined;
    params[segment.slice(1)] = decoded;
  }
  return params;
}

function segments(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** An address that somebody typed may hold a broken escape. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
