import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { refuseServerTables } from "../postgres/schemas.js";
import { translateStorageFault } from "../storage-fault.js";
import { SqliteEngine } from "../sqlite/sqlite-engine.js";
import { newMarker, writeMarker } from "./marker.js";
import { readStamp, writeStamp } from "./stamp.js";

const fileName = "database.sqlite";

/**
 * Marks all databases in a data folder as belonging to one new installation, whichever they came from. Missing
 * databases are created empty at the next start. No server may run on the folder.
 * @returns the databases' folders, inside of the data folder
 */
export async function acceptData(folder: string): Promise<string[]> {
  refuseServerTables(folder);
  const marker = newMarker();
  for (const path of await databaseFiles(folder)) {
    const place = relative(folder, dirname(path)).split(sep).join("/");
    const epoch = accept(path, { installation: marker.id, owner: ownerOf(place) });
    marker.databases[place] = epoch;
  }
  await writeMarker(folder, marker);
  return Object.keys(marker.databases);
}

async function databaseFiles(folder: string): Promise<string[]> {
  const data = join(folder, "plugins", "data");
  const found = await readdir(data, { recursive: true }).catch(() => []);
  const ofPlugins = found.filter((name) => /^[^/\\]+[/\\]\d+[/\\]database\.sqlite$/.test(name)).sort();
  const kernel = join(folder, "kernel", fileName);
  return [...(existsSync(kernel) ? [kernel] : []), ...ofPlugins.map((name) => join(data, name))];
}

function accept(path: string, { installation, owner }: { installation: string; owner: string }): number {
  try {
    const engine = new SqliteEngine(path);
    try {
      const epoch = (readStamp(engine)?.epoch ?? 0) + 1;
      writeStamp(engine, { installation, owner, epoch });
      return epoch;
    } finally {
      engine.close();
    }
  } catch (fault) {
    throw translateStorageFault(fault, path);
  }
}

/** `kernel`, or the third part of `plugins/data/<id>/<number>`. */
function ownerOf(place: string): string {
  return place === "kernel" ? "kernel" : place.split("/")[2]!;
}
