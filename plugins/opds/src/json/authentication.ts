export const authenticationType = "application/opds-authentication+json";

export function authenticationAddress(origin: string): string {
  return `${origin}/api/opds/auth`;
}

/** The authentication document, which tells clients how to sign in. */
export function authenticationDocument(origin: string): Record<string, unknown> {
  return {
    id: authenticationAddress(origin),
    title: "Longbox",
    description: "Sign in with your user name, and your password or your API key.",
    authentication: [
      { type: "http://opds-spec.org/auth/basic", labels: { login: "User name", password: "Password or API key" } },
    ],
    links: [
      { rel: "help", href: `${origin}/`, type: "text/html" },
      { rel: "logo", href: `${origin}/favicon.svg`, type: "image/svg+xml" },
    ],
  };
}
