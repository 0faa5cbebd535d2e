/** A page of the UI, of the shell or of a plugin. */
export interface PageDefinition {
  /** Parameters as in `/series/:id`. */
  readonly path: string;
  readonly element: string;
  readonly title: string;
  /** Whether the page is shown with navigation, or in the whole window. */
  readonly chrome: boolean;
  readonly permission?: string | undefined;
  /** The plugin that contributes the page; undefined for pages of the shell. */
  readonly plugin?: string | undefined;
  /** The address of the plugin's code, which changes with its version. */
  readonly code?: string | undefined;
  /** Makes sure that the element is defined. */
  load(): Promise<unknown>;
}

export interface PageMatch {
  readonly url: URL;
  readonly page: PageDefinition | undefined;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The page whose path matches. Those of the shell come first. Of two plugins' pages, one that names every segment comes
 * before one with parameters, so that no plugin hides a page of another.
 */
export function matchPage(url: URL, pages: readonly PageDefinition[]): PageMatch {
  const matches = pages.flatMap((page) => {
    const params = matchPath(page.path, url.pathname);
    return params ? [{ url, page, params }] : [];
  });
  const own = matches.find(({ page }) => page.plugin === undefined);
  const exact = matches.find(({ params }) => Object.keys(params).length === 0);
  return own ?? exact ?? matches[0] ?? { url, page: undefined, params: {} };
}

/** The parameters of a path that matches the pattern, or undefined. `:name` matches one segment. */
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

/** A typed address may contain an invalid escape. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
