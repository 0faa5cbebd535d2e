// Parts of the small plugins that are mistaken.
export const route = (fields: string) =>
  `context.routes([defineRoute({ method: "GET", summary: "s", handle: () => ({}), ${fields} })]);`;
export const zod = `import { z } from "zod";`;
export const contract = `const Shared = contract("shared", "1.0.0");`;
export const client = (fields: object) => ({ client: { js: "client/part.js", ...fields } });
export const part = { "client/part.js": "customElements.define('x-y', class extends HTMLElement {});" };
export const table = (name: string, text = "CREATE TABLE one (id integer)") =>
  `statements(${JSON.stringify(name)}, [${JSON.stringify(text)}])`;
export const page = (path: string) => ({ path, element: "lamps-page", title: "L" });
export const lightPermission = { key: "lamps.light", label: "l", description: "", tier: "viewer" };
