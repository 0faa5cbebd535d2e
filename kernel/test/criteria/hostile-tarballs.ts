// The hostile tarballs of criterion 11, each with the code that refuses it, or none where it is harmless.
import { gzipSync } from "node:zlib";
import { honest } from "../plugins/lying-registry.js";
import type { TinyPlugin } from "../plugins/support.js";
import { entriesOf, paxEntry, tarball, tarEntry, type Entry } from "../plugins/tarballs.js";
import { limits } from "./hostile-host.js";

export interface HostileTarball {
  readonly title: string;
  /** The code of the refusal; undefined for what may be installed, and does nothing that it means to. */
  readonly code?: string;
  readonly make: () => Buffer;
}

const withEntry = (...entries: Entry[]) => tarball([...entriesOf(honest), ...entries]);
const before = (...entries: Entry[]) => tarball([...entries, ...entriesOf(honest)]);
const plugin = (changed: Partial<TinyPlugin>) => () => tarball(entriesOf({ ...honest, ...changed }));
const file = (name: string, more: Partial<Entry> = {}): Entry => ({ name, text: "1", ...more });
/** An entry of GNU's format, whose text is the name of the next. */
const longName = (name: string): Entry => ({ name: "././@LongLink", type: "L", text: `${name}\0` });
const at = (place: number, bytes: Buffer) => ({ overwritten: new Map([[place, bytes]]) });
/** A size in base 256, as GNU writes numbers that do not fit; all ones are minus one. */
const negativeSize = at(124, Buffer.alloc(12, 0xff));
const tenKilobytes = "n".repeat(10_000);

const outside: readonly HostileTarball[] = [
  {
    title: "a name that climbs out",
    code: "kernel/tarball-outside",
    make: () => withEntry(file("package/../../longbox-escaped.js")),
  },
  { title: "an absolute name", code: "kernel/tarball-outside", make: () => withEntry(file("/tmp/longbox-escaped.js")) },
  {
    title: "a name with a drive",
    code: "kernel/tarball-outside",
    make: () => withEntry(file("C:/longbox-escaped.js")),
  },
  {
    title: "a name with a backslash",
    code: "kernel/tarball-backslash",
    make: () => withEntry(file("package\\longbox-escaped.js")),
  },
  {
    title: "a pax path that climbs out",
    code: "kernel/tarball-outside",
    make: () => withEntry(paxEntry({ path: "package/../../longbox-escaped.js" }), file("package/a.js")),
  },
  {
    title: "a pax path that is absolute",
    code: "kernel/tarball-outside",
    make: () => withEntry(paxEntry({ path: "/tmp/longbox-escaped.js" }), file("package/a.js")),
  },
  {
    title: "a pax path for all entries",
    make: () => before(paxEntry({ path: "package/same.js" }, "g"), file("package/a.js")),
  },
  {
    title: "a long name that climbs out",
    code: "kernel/tarball-outside",
    make: () => withEntry(longName("package/../../longbox-escaped.js"), file("package/a.js")),
  },
  {
    title: "a prefix that climbs out",
    code: "kernel/tarball-outside",
    make: () => withEntry(file("longbox-escaped.js", at(345, Buffer.from("package/../..")))),
  },
  {
    title: "a folder that climbs out",
    code: "kernel/tarball-outside",
    make: () => withEntry({ name: "package/../../longbox-escaped/", type: "5" }),
  },
];

const links: readonly HostileTarball[] = [
  {
    title: "a symbolic link",
    code: "kernel/tarball-link",
    make: () => withEntry({ name: "package/link", type: "2", target: "/etc/passwd" }),
  },
  {
    title: "a hard link",
    code: "kernel/tarball-link",
    make: () => withEntry({ name: "package/link", type: "1", target: "package/index.js" }),
  },
  {
    title: "a link with a file below it",
    code: "kernel/tarball-link",
    make: () => withEntry({ name: "package/dir", type: "2", target: "/tmp" }, file("package/dir/longbox-escaped.js")),
  },
  {
    title: "a link whose target is in a pax header",
    code: "kernel/tarball-link",
    make: () => withEntry(paxEntry({ linkpath: "/etc/passwd" }), { name: "package/link", type: "2", target: "a.js" }),
  },
  {
    title: "a character device",
    code: "kernel/tarball-device",
    make: () => withEntry({ name: "package/null", type: "3" }),
  },
  {
    title: "a block device",
    code: "kernel/tarball-device",
    make: () => withEntry({ name: "package/disk", type: "4" }),
  },
  { title: "a pipe", code: "kernel/tarball-device", make: () => withEntry({ name: "package/pipe", type: "6" }) },
  {
    title: "an entry of an unknown kind",
    code: "kernel/tarball-broken",
    make: () => withEntry(file("package/odd", { type: "Z" })),
  },
  { title: "a file with the right of its owner", make: () => withEntry(file("package/setuid.sh", { mode: "6755" })) },
  { title: "a file that may not be read", make: () => withEntry(file("package/secret.txt", { mode: "0000" })) },
];

const names: readonly HostileTarball[] = [
  {
    title: "a name with a control character",
    code: "kernel/tarball-bad-name",
    make: () => withEntry(file("package/a\nb.js")),
  },
  {
    title: "a pax path with a NUL",
    make: () => withEntry(paxEntry({ path: "package/a.js\0.txt" }), file("package/a.js")),
  },
  {
    title: "a long name of 10 kB",
    code: "kernel/tarball-bad-name",
    make: () => withEntry(longName(`package/${tenKilobytes}`), file("package/a.js")),
  },
  {
    title: "a pax path of 10 kB",
    code: "kernel/tarball-bad-name",
    make: () => withEntry(paxEntry({ path: `package/${tenKilobytes}` }), file("package/a.js")),
  },
  { title: "the same name twice", code: "kernel/tarball-duplicate", make: () => withEntry(file("package/index.js")) },
  {
    title: "names that differ only in case",
    code: "kernel/tarball-duplicate",
    make: () => withEntry(file("package/INDEX.js")),
  },
  {
    title: "names that differ only in their Unicode form",
    code: "kernel/tarball-duplicate",
    make: () => withEntry(file("package/caf\u00e9.js"), file("package/cafe\u0301.js")),
  },
  {
    title: "a file where a folder is",
    code: "kernel/tarball-duplicate",
    make: () => withEntry(file("package/a/b.js"), file("package/a")),
  },
  {
    title: "a second package.json in another outermost folder",
    code: "kernel/tarball-duplicate",
    make: () => withEntry(file("other/package.json")),
  },
];

const sizes: readonly HostileTarball[] = [
  {
    title: "more entries than any plugin needs",
    code: "kernel/tarball-too-many-files",
    make: () => withEntry(...Array.from({ length: limits.entries + 1 }, (_, n) => ({ name: `package/f${n}` }))),
  },
  {
    title: "an entry that claims more than a file may hold",
    code: "kernel/file-too-large",
    make: () => withEntry({ name: "package/big", claimedSize: limits.fileBytes + 1 }),
  },
  {
    title: "an entry longer than its archive",
    code: "kernel/tarball-broken",
    make: () => withEntry(file("package/long.js", { claimedSize: 100_000 })),
  },
  {
    title: "an entry of a negative size",
    code: "kernel/tarball-broken",
    make: () => withEntry(file("package/less.js", negativeSize)),
  },
  {
    title: "a wrong checksum",
    code: "kernel/tarball-broken",
    make: () => withEntry(file("package/sum.js", { claimedSum: 1 })),
  },
  {
    title: "no archive at all",
    code: "kernel/tarball-broken",
    make: () => Buffer.from("hello, this is not a tarball"),
  },
  { title: "an archive of nothing", code: "kernel/tarball-broken", make: () => tarball([]) },
  {
    title: "a package.json of megabytes",
    code: "kernel/bad-manifest",
    make: plugin({ packageJson: { padding: "x".repeat(4_000_000) } }),
  },
  { title: "zeros that unpack to more than is allowed", code: "kernel/unpacked-too-large", make: bomb },
];

const contents: readonly HostileTarball[] = [
  {
    title: "a package whose own name is another",
    code: "kernel/wrong-package",
    make: plugin({ package: "@longbox-test/other" }),
  },
  { title: "a package whose own version is another", code: "kernel/wrong-package", make: plugin({ version: "2.0.0" }) },
  {
    title: "a package that is no plugin",
    code: "kernel/not-a-plugin",
    make: plugin({ packageJson: { keywords: [] } }),
  },
  {
    title: "a manifest with a field that does not exist",
    code: "kernel/bad-manifest",
    make: plugin({ manifest: { surprise: true } }),
  },
  {
    title: "a plugin for another SDK",
    code: "kernel/sdk-too-different",
    make: plugin({ manifest: { sdk: "^99.0.0" } }),
  },
  { title: "a plugin named after the kernel", code: "kernel/bad-manifest", make: plugin({ id: "kernel" }) },
  {
    title: "an entry point outside of the package",
    code: "kernel/bad-manifest",
    make: plugin({ packageJson: { exports: "./../../index.js" } }),
  },
  {
    title: "code that does not load",
    code: "kernel/trial-import-failed",
    make: plugin({ head: "throw new Error('not today');" }),
  },
  {
    title: "code that ends the process while it is loaded",
    code: "kernel/trial-import-failed",
    make: plugin({ head: "process.exit(0);" }),
  },
  {
    title: "an own copy of the SDK",
    make: () =>
      withEntry(
        {
          name: "package/node_modules/@longbox/sdk/package.json",
          text: '{"name":"@longbox/sdk","version":"0.0.1","type":"module","exports":"./index.js"}',
        },
        { name: "package/node_modules/@longbox/sdk/index.js", text: "throw new Error('the private copy was loaded');" },
      ),
  },
];

export const hostileTarballs: readonly HostileTarball[] = [...outside, ...links, ...names, ...sizes, ...contents];

/** A small archive of large files, as far as they may be. */
function bomb(): Buffer {
  const zeros = Math.min(limits.fileBytes, 16 * 1024 * 1024);
  // Parts of a gzip file may follow one another, so the same zeros are compressed once.
  const part = gzipSync(Buffer.alloc(zeros), { level: 1 });
  const count = Math.ceil(limits.unpackedBytes / zeros) + 1;
  const files = Array.from({ length: count }, (_, n) => [
    gzipSync(tarEntry({ name: `package/zeros${n}`, claimedSize: zeros })),
    part,
  ]);
  return Buffer.concat([gzipSync(Buffer.concat(entriesOf(honest).map(tarEntry))), ...files.flat()]);
}
