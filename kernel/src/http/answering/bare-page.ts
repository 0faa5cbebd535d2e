import { hash } from "node:crypto";
import type { Exchange } from "../routing/route-call.js";
import { apiHeaders } from "./headers.js";
import { pageStyle } from "./page-style.js";

/** Signs in, and switches plugins on: only what brings a web interface back. */
const script = `const find = (name) => document.getElementById(name);
const said = find("said");
const root = document.documentElement.dataset.base || "";
async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(root + path, options);
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content;
  throw Object.assign(new Error(content.error || "The server answered " + answer.status + "."), { status: answer.status });
}
async function attempt(task) {
  said.textContent = "";
  try {
    await task();
  } catch (problem) {
    said.textContent = problem.status ? problem.message : "The server cannot be reached. Try again in a moment.";
  }
}
async function show() {
  let plugins;
  try {
    plugins = await ask("/api/plugins");
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    find("sign-in").hidden = false;
    return;
  }
  find("sign-in").hidden = true;
  const off = plugins.filter(({ state }) => state !== "active");
  find("plugins").replaceChildren(...off.map(row));
  if (off.length === 0) said.textContent = "Every installed plugin is on.";
}
function row({ name, title, enabled }) {
  const [line, label, button] = ["li", "span", "button"].map((tag) => document.createElement(tag));
  label.textContent = title;
  button.textContent = enabled ? "Try again" : "Switch on";
  button.setAttribute("aria-label", button.textContent + " " + title);
  button.onclick = () => attempt(async () => {
    button.disabled = true;
    try {
      const path = "/api/plugins/" + name + "/enabled";
      if (enabled) await ask(path, { enabled: false });
      await ask(path, { enabled: true });
      await leaveWhenBack();
      await show();
    } finally {
      button.disabled = false;
    }
  });
  line.append(label, button);
  return line;
}
async function leaveWhenBack() {
  const page = await fetch(root + "/", { headers: { Accept: "text/html" } });
  if (page.ok && page.headers.get("X-Bare-Page") === null) location.reload();
}
find("sign-in").onsubmit = (event) => {
  event.preventDefault();
  const { username, password } = event.target.elements;
  attempt(async () => {
    await ask("/api/auth/login", { username: username.value, password: password.value });
    await show();
  });
};
// While the server starts, its web interface may come a moment later; a server that cannot be reached is asked again.
setInterval(() => leaveWhenBack().catch(() => {}), 3000);
attempt(show);`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", pageStyle, "base64")}'`,
  `script-src 'sha256-${hash("sha256", script, "base64")}'`,
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join("; ");

const pageBelow = (prefix: string) => `<!doctype html>
<html lang="en"${prefix && ` data-base="${prefix}"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Plugins</title><style>${pageStyle}</style></head>
<body><main><h1>There is no web interface</h1><p>The server runs, but the plugin that shows its pages is switched off or not installed. An administrator can switch it on again.</p>
<form id="sign-in" hidden><label>User name <input name="username" autocomplete="username" required></label><label>Password <input name="password" type="password" autocomplete="current-password" required></label><button>Sign in</button></form>
<ul id="plugins" aria-label="Plugins that are off"></ul><p id="said" role="status"></p></main><script>${script}</script></body></html>
`;

/**
 * Sends the page that stands in for the web interface while no plugin shows one, so that it can be switched on again.
 */
export function sendBarePage({ request, response, id, client }: Exchange): void {
  const page = pageBelow(client.prefix);
  response.writeHead(200, {
    ...apiHeaders,
    "Content-Security-Policy": policy,
    "X-Request-Id": id,
    "X-Bare-Page": "1",
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "Cache-Control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : page);
}
