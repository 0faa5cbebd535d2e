import sevenZipModule, { type SevenZipModuleFactory } from "7z-wasm";
import { runsLongTests } from "@longbox/test/needs";

// Its types describe an ES module; Node loads it as CommonJS.
const load = sevenZipModule as unknown as SevenZipModuleFactory;
const megabyte = 1024 * 1024;

/** Packs files by 7-Zip itself, with these switches of its command line. */
async function sevenZip(files: ReadonlyMap<string, Uint8Array>, switches: readonly string[] = []): Promise<Buffer> {
  const complaints: string[] = [];
  const module = await load({ print: () => undefined, printErr: (line) => void complaints.push(line) });
  module.FS.mkdir("/packed");
  module.FS.chdir("/packed");
  for (const [name, bytes] of files) module.FS.writeFile(name, bytes);
  const code = module.callMain(["a", "-mx=1", ...switches, "/made.7z", "."]) ?? 0;
  if (code !== 0) throw new Error(`7-Zip ended with ${code}: ${complaints.join(" ")}`);
  return Buffer.from(module.FS.readFile("/made.7z"));
}

/** Real 7z archives that unpack to far more than they are, hold too much, or are damaged, by their file names. */
export async function hostileSevenZips(page: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const swollen = new Uint8Array(300 * megabyte);
  swollen.set(page);
  const many = Array.from({ length: 12 }, (_, at) => [`${at}.jpg`, swollen.subarray(0, 60 * megabyte)] as const);
  const crowd = Array.from({ length: 20_000 }, (_, at) => [`${at}.jpg`, Uint8Array.of(0xff, 0xd8)] as const);
  const whole = await sevenZip(new Map([["1.jpg", page]]));
  const larger = async (): Promise<Array<[string, Buffer]>> => [
    ["7z of 720 MB in one block.cb7", await sevenZip(new Map(many), ["-ms=on"])],
  ];
  return new Map([
    ...(runsLongTests ? await larger() : []),
    ["7z of a page of 300 MB.cb7", await sevenZip(new Map([["1.jpg", swollen]]))],
    ["7z of 20,000 entries.cb7", await sevenZip(new Map(crowd))],
    ["7z with a password.cb7", await sevenZip(new Map([["1.jpg", page]]), ["-psecret", "-mhe=on"])],
    ["half of a 7z.cb7", whole.subarray(0, whole.length / 2)],
    [
      "7z tags.cb7",
      await sevenZip(new Map([["ComicInfo.xml", Buffer.from(`<ComicInfo ${"a ".repeat(2 * megabyte)}>`)]])),
    ],
  ]);
}
