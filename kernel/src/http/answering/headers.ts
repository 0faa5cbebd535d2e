/** Sent with every answer of the API: nothing in it is a page, whatever a browser may take it for. */
export const apiHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/** Sent with bytes, which our own pages may show in a frame. */
export const contentHeaders: Readonly<Record<string, string>> = {
  ...apiHeaders,
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};

/** Documents that could run scripts in our origin, such as a drawing opened on its own, get a sandbox besides. */
export const sandboxed =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
const activeTypes = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)\b/i;

export function isActive(contentType: string): boolean {
  return activeTypes.test(contentType);
}

/** The policy of the web UI's pages: code only from our own files. */
export const pagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; worker-src 'self' blob:";
