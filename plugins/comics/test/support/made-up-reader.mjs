// A reader of made-up archives: the text behind their first four bytes says what it does.
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const told = async (path) => (await readFile(path, "latin1")).slice(4);
const listed = ["1.jpg", "2.jpg"].map((name) => ({ name, sizeBytes: 10, encrypted: false }));
const eaten = [];

export async function list(path) {
  switch (await told(path)) {
    case "throws":
      throw new Error("/a/path/that/nobody/sees");
    case "lies":
      return { solid: false, entries: [{ name: "1.jpg", sizeBytes: -1, encrypted: "no" }] };
    case "names-nothing":
      return undefined;
    case "encrypted":
      throw Object.assign(new Error("secret"), { code: "encrypted" });
    case "exits":
      return process.exit(3);
    case "hangs":
      for (;;);
    case "eats":
      for (;;) eaten.push(Buffer.alloc(16_000_000, 1));
    default:
      return { solid: false, entries: listed };
  }
}

export async function extract({ path, names, folder }) {
  const sin = await told(path);
  for (const [index, name] of names.entries()) {
    const target = join(folder, String(index));
    if (sin === "link") await symlink("/etc/hostname", target);
    else if (sin === "larger") await writeFile(target, Buffer.alloc(1000, name));
    else if (sin !== "missing") await writeFile(target, `page ${name}`);
  }
}
