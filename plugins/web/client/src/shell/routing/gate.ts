import { allowed } from "../contributions.js";
import type { PageDefinition, PageMatch } from "./page-table.js";
import type { Session } from "../session.js";
import { pages } from "./own-pages.js";

/**
 * Chooses the page for an address and a session: before sign-in, only the sign-in pages. Undefined while the session is
 * unknown.
 */
export function gate(session: Session, match: PageMatch): PageDefinition | undefined {
  const state = session.state.value;
  switch (state.kind) {
    case "unknown":
    case "unreachable":
      return undefined;
    case "first-run":
      return pages.welcome;
    case "signed-out":
      return match.page === pages.register && state.registration ? pages.register : pages.signIn;
    case "signed-in":
      if (!match.page) return pages.notFound;
      if (match.page === pages.signIn || match.page === pages.register) return pages.home;
      return allowed(match.page, (permission) => session.may(permission)) ? match.page : pages.forbidden;
  }
}
