// Modules of a folder that was built again while the server runs: what Node has loaded from it before does not count.
import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
/** Folders, as the beginnings of URLs, by the builds that were loaded from them. */
const rootOfBuild = new Map<string, string>();
const mark = /\?build=([0-9a-f]+)$/;

/**
 * The URL of a module of this build. Modules of the same folder that it imports are those of this build, too, and
 * modules in CommonJS are read again; packages in `node_modules` are shared with the builds before.
 * @param build - names the content, in hexadecimal digits
 */
export function urlOfBuild(folder: string, file: string, build: string): string {
  const root = `${pathToFileURL(folder).href}/`;
  if (rootOfBuild.size === 0) markImports();
  rootOfBuild.set(build, root);
  readCommonJsAgain(folder);
  return `${pathToFileURL(path.join(folder, file)).href}?build=${build}`;
}

const isOwn = (folder: string, file: string) =>
  file.startsWith(`${folder}${path.sep}`) && !file.slice(folder.length).includes(`${path.sep}node_modules${path.sep}`);

/** Node also remembers what these modules have found where; only `require` itself corrects that. */
function readCommonJsAgain(folder: string): void {
  const loaded = Object.keys(require.cache).filter((file) => isOwn(folder, file));
  for (const file of loaded) delete require.cache[file];
  for (const file of loaded) {
    try {
      require(file);
    } catch {
      continue; // The import of the build says what is wrong, if it needs this module at all.
    }
  }
}

function markImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const build = mark.exec(context.parentURL ?? "")?.[1];
      const root = build === undefined ? undefined : rootOfBuild.get(build);
      const { url } = resolved;
      if (root === undefined || url.includes("?") || !url.startsWith(root)) return resolved;
      if (url.slice(root.length - 1).includes("/node_modules/")) return resolved;
      return { ...resolved, url: `${url}?build=${build}` };
    },
  });
}
