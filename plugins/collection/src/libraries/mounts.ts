import { readFile, stat } from "node:fs/promises";

const mountTable = "/proc/self/mountinfo";
/** File systems that hold no files of users. */
const virtual: ReadonlySet<string> = new Set(
  (
    "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fuse.gvfsd-fuse fuse.portal " +
    "fusectl hugetlbfs mqueue nsfs proc pstore ramfs rpc_pipefs securityfs squashfs sysfs tmpfs tracefs"
  ).split(" "),
);
const mostMounts = 100;

/**
 * The folders where disks, network shares and the volumes of a container are mounted, without that of the root. Empty
 * where the system has no table of mounts to read.
 */
export async function mountedFolders(): Promise<string[]> {
  const table = await readFile(mountTable, "utf8").catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT" || thrown.code === "EACCES") return "";
    throw thrown;
  });
  const found = mountsOf(table);
  // A container gets single files such as /etc/hosts as mounts too.
  const kinds = await Promise.all(found.map((path) => stat(path).then(isFolder, () => false)));
  return found.filter((_, index) => kinds[index]).slice(0, mostMounts);
}

function isFolder(found: { isDirectory(): boolean }): boolean {
  return found.isDirectory();
}

/** The mount points in a table of the form that proc(5) describes, sorted, each once. */
export function mountsOf(table: string): string[] {
  const paths = table.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const path = before.split(" ")[4];
    const type = after.split(" ")[0] ?? "";
    return path === undefined || path === "/" || type === "" || virtual.has(type) ? [] : [unescaped(path)];
  });
  return [...new Set(paths)].toSorted();
}

/** Spaces, tabs, line ends and backslashes are written as octal numbers. */
function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
