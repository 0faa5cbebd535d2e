import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { drawPage, seededRandom } from "@longbox/test/fixtures";
import sharp from "sharp";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNestedThread } from "../src/archives/unpacking/nested-thread.js";
import { Unpacker } from "../src/archives/unpacking/unpacker.js";
import { startLibrary, type TestLibrary } from "../../files/test/support/library.js";
import { PdfWriter, scannedPdf } from "./support/pdf-writer.js";

const run = promisify(execFile);
const helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
const white = [255, 255, 255];

/** Eight pixels by eight, the left half red, the right half blue, as JPEG 2000; nothing here could write one. */
const jpeg2000 = Buffer.from(
  "/0//UQAvAAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEAAAQEAAH/XAAEQED/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAABqAAH/k8+0gBQATwm/xHgwLR9iT8/GAAAwkI1QoYHlQaUebD82IQl/z7R4EVBUreBmDAtH2JQMK8AAAADHmvPkfopwYFo+xKEvz7RUEVBHCcdEDEGBaPsRzYhCR2PAMJCX/9k=",
  "base64",
);

/** Pages of every kind, in the order of their names. */
const kinds = {
  text(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 400, 600], resources: helvetica, draw: "BT /F 120 Tf 20 400 Td (HHH) Tj ET" });
  },
  unknownFont(pdf: PdfWriter) {
    const descriptor =
      "<< /Type /FontDescriptor /FontName /Balloon /Flags 32 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>";
    const font = `<< /Type /Font /Subtype /TrueType /BaseFont /Balloon /FirstChar 72 /LastChar 73 /Widths [722 278] /Encoding /WinAnsiEncoding /FontDescriptor ${descriptor} >>`;
    pdf.addPage({
      box: [0, 0, 400, 600],
      resources: `/Font << /F ${font} >>`,
      draw: "BT /F 120 Tf 20 400 Td (HHH) Tj ET",
    });
  },
  shapes(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 400, 600], draw: "1 0 0 rg 0 300 200 300 re f 0 0 1 RG 40 w 300 0 m 300 600 l S" });
  },
  form(pdf: PdfWriter) {
    const form = pdf.addStream(
      "/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Matrix [20 0 0 20 0 0]",
      "0 1 0 rg 0 0 10 10 re f",
    );
    pdf.addPage({
      box: [0, 0, 400, 600],
      resources: `/XObject << /X ${form} >>`,
      draw: "q 1 0 0 1 200 400 cm /X Do Q",
    });
  },
  rotated(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 400, 600], entries: "/Rotate 90", draw: "1 0 0 rg 0 0 200 300 re f" });
  },
  cropped(pdf: PdfWriter) {
    pdf.addPage({
      box: [0, 0, 400, 600],
      entries: "/CropBox [200 0 400 300]",
      draw: "1 0 0 rg 0 0 400 600 re f 0 0 1 rg 200 0 100 300 re f",
    });
  },
  shading(pdf: PdfWriter) {
    const shading =
      "/Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 400 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >>";
    pdf.addPage({ box: [0, 0, 400, 600], resources: shading, draw: "/S sh" });
  },
  jpeg2000(pdf: PdfWriter) {
    pdf.addImagePage({ width: 8, height: 8, entries: "/Filter /JPXDecode", bytes: jpeg2000 });
  },
  jbig2(pdf: PdfWriter) {
    pdf.addImagePage({
      width: 64,
      height: 64,
      entries: "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode",
      bytes: jbig2(faxOfBlack()),
    });
  },
  fax(pdf: PdfWriter) {
    pdf.addImagePage({
      width: 64,
      height: 64,
      entries:
        "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 64 /Rows 64 >>",
      bytes: faxOfBlack(),
    });
  },
  japanese(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 400, 600], resources: japaneseFont(pdf), draw: "BT /F 400 Tf 20 100 Td <0041> Tj ET" });
  },
  empty(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 400, 600], draw: "" });
  },
  tiny(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 1, 1], draw: "1 0 0 rg 0 0 1 0.5 re f" });
  },
  huge(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 14_400, 14_400], draw: "1 0 0 rg 0 0 14400 7200 re f" });
  },
  endless(pdf: PdfWriter) {
    pdf.addPage({ box: [0, 0, 1_000_000_000, 1], draw: "1 0 0 rg 0 0 1000000000 1 re f" });
  },
};

/** 64 by 64 black pixels as a fax sends them (ITU-T T.6): the first row in full, the others like the one before. */
function faxOfBlack(): Buffer {
  const bits = `001${"00110101"}${"0000001111"}${"0000110111"}${"11".repeat(63)}${"000000000001".repeat(2)}`;
  return Buffer.from(
    (bits.padEnd(Math.ceil(bits.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
  );
}

/** The fax as the one region of a JBIG2 page (ITU-T T.88), without the file header that PDF leaves out. */
function jbig2(fax: Buffer): Buffer {
  const segment = (number: number, type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0, 0, 0, number, type, 0, 1]), words(data.length), data]);
  const words = (...values: number[]) =>
    Buffer.concat(values.map((value) => Buffer.from([0, 0, value >> 8, value & 255])));
  return Buffer.concat([
    segment(0, 48, Buffer.concat([words(64, 64, 0, 0), Buffer.from([0, 0, 0])])),
    segment(1, 38, Buffer.concat([words(64, 64, 0, 0), Buffer.from([0, 1]), fax])),
  ]);
}

/**
 * A font whose letters are found through one of the predefined character maps: A is character 34 of Adobe's Japanese,
 * drawn as an H.
 */
function japaneseFont(pdf: PdfWriter): string {
  const folder = join(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"), "../standard_fonts");
  const glyphs = Buffer.alloc(200, Buffer.from([0, 3]));
  glyphs.writeUInt16BE(43, 34 * 2);
  const [file, map] = [
    pdf.addStream("", readFileSync(join(folder, "LiberationSans-Regular.ttf"))),
    pdf.addStream("", glyphs),
  ];
  const descriptor = `<< /Type /FontDescriptor /FontName /Lettering /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 ${file} >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Lettering /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 722 /CIDToGIDMap ${map} /FontDescriptor ${descriptor} >>`;
  return `/Font << /F << /Type /Font /Subtype /Type0 /BaseFont /Lettering /Encoding /UniJIS-UCS2-H /DescendantFonts [${descendant}] >> >>`;
}

/** A page as it came over HTTP. */
interface Picture {
  readonly width: number;
  readonly height: number;
  /** The colour at a place, in shares of the width and the height from the upper left corner. */
  at(x: number, y: number): number[];
}

async function look(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return {
    width,
    height,
    at: (x, y) => [
      ...data.subarray((Math.floor(y * height) * width + Math.floor(x * width)) * channels).subarray(0, 3),
    ],
  };
}

/** Within 20 of each: JPEG and the smoothing of edges may change that much. */
function near(expected: readonly number[]) {
  return expected.map((value) => expect.closeTo(value, -1.6));
}

describe("pages of a PDF", () => {
  let library: TestLibrary;
  let numbers: Map<string, number>;
  const names = Object.keys(kinds);

  beforeAll(async () => {
    library = await startLibrary({
      plugins: ["reading", "reader"],
      async fill(root) {
        const put = async (name: string, bytes: Uint8Array) => {
          await mkdir(join(root, name));
          await writeFile(join(root, name, `${name} 001.pdf`), bytes);
        };
        const drawn = everything();
        await put("Drawn", drawn);
        await put("Scanned", await scannedPdf(3));
        await put("Locked", withText().finish({ password: "moth" }));
        await put("Open", withText().finish({ password: "" }));
        await put(
          "Misdirected",
          Buffer.from(
            withText()
              .finish()
              .toString("latin1")
              .replace(/startxref\n\d+/, "startxref\n7"),
            "latin1",
          ),
        );
        await put("Cut", drawn.subarray(0, 700));
        await put("None", new PdfWriter().finish());
        await put(
          "Gap",
          imagePage(
            "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
            100,
            Buffer.from("no JPEG at all"),
          ),
        );
        await mkdir(join(root, "Linked"));
        await symlink(join(root, "Drawn", "Drawn 001.pdf"), join(root, "Linked", "Linked 001.pdf"));
      },
    });
    numbers = new Map((await library.files()).map((file) => [file.path.split("/")[0]!, file.cvIssueId]));
  });
  afterAll(async () => library?.[Symbol.asyncDispose]());

  const ask = (file: string, page: number, headers?: Record<string, string>) =>
    library.host.as("viewer").get(`/api/reader/issue/${numbers.get(file)}/page/${page}`, headers);
  const picture = async (kind: keyof typeof kinds) => {
    const answer = await ask("Drawn", names.indexOf(kind));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    return look(answer.bytes);
  };

  it.each([
    ["Helvetica", "text"],
    ["an unknown font", "unknownFont"],
  ] as const)("show text in %s that is not in the file", async (_, kind) => {
    const page = await picture(kind);
    expect([page.width, page.height]).toEqual([1600, 2400]);
    // The first H: its stems, and the white above its bar.
    expect([page.at(0.09, 0.28), page.at(0.22, 0.28), page.at(0.155, 0.21), page.at(0.5, 0.8)]).toEqual([
      near([0, 0, 0]),
      near([0, 0, 0]),
      white,
      white,
    ]);
  });

  it("show text that is found through a character map", async () => {
    const page = await picture("japanese");
    expect([page.at(0.16, 0.6), page.at(0.65, 0.6), page.at(0.4, 0.45)]).toEqual([
      near([0, 0, 0]),
      near([0, 0, 0]),
      white,
    ]);
  });

  it("show what is filled and stroked", async () => {
    const page = await picture("shapes");
    expect([page.at(0.25, 0.25), page.at(0.75, 0.75), page.at(0.25, 0.75)]).toEqual([
      near([255, 0, 0]),
      near([0, 0, 255]),
      white,
    ]);
  });

  it("show drawings that are used from elsewhere", async () => {
    const page = await picture("form");
    expect([page.at(0.75, 0.16), page.at(0.25, 0.16), page.at(0.75, 0.5)]).toEqual([near([0, 255, 0]), white, white]);
  });

  it("show shadings", async () => {
    const page = await picture("shading");
    expect([page.at(0.01, 0.5), page.at(0.5, 0.5), page.at(0.99, 0.5)]).toEqual([
      near([253, 0, 3]),
      near([127, 0, 127]),
      near([3, 0, 253]),
    ]);
  });

  it("stand upright, and end where they are cropped", async () => {
    const [rotated, cropped] = [await picture("rotated"), await picture("cropped")];
    expect([
      rotated.width,
      rotated.height,
      rotated.at(0.25, 0.25),
      rotated.at(0.75, 0.25),
      rotated.at(0.25, 0.75),
    ]).toEqual([2400, 1600, near([255, 0, 0]), white, white]);
    expect([cropped.width, cropped.height, cropped.at(0.25, 0.5), cropped.at(0.75, 0.5)]).toEqual([
      1600,
      2400,
      near([0, 0, 255]),
      near([255, 0, 0]),
    ]);
  });

  it("show images of every compression, pixel for pixel", async () => {
    const [two, black, fax] = [await picture("jpeg2000"), await picture("jbig2"), await picture("fax")];
    expect([two.width, two.height, two.at(0.2, 0.5), two.at(0.8, 0.5)]).toEqual([
      8,
      8,
      near([200, 30, 40]),
      near([20, 60, 200]),
    ]);
    expect([black, fax].map((page) => [page.width, page.height, page.at(0.5, 0.5)])).toEqual([
      [64, 64, near([0, 0, 0])],
      [64, 64, near([0, 0, 0])],
    ]);
    const original = await look(await drawPage(1, "1", { width: 160, height: 240 }));
    const scan = await look((await ask("Scanned", 1)).bytes);
    expect([scan.width, scan.height]).toEqual([160, 240]);
    const apart = Array.from({ length: 100 }, (_, spot) => [(spot % 10) / 10, Math.floor(spot / 10) / 10] as const).map(
      ([x, y]) => Math.abs(scan.at(x, y)[0]! - original.at(x, y)[0]!),
    );
    expect(apart.reduce((sum, each) => sum + each) / apart.length).toBeLessThan(6);
  });

  it("are white when nothing is on them", async () => {
    const page = await picture("empty");
    expect([page.at(0.1, 0.1), page.at(0.9, 0.9)]).toEqual([white, white]);
  });

  it("have a bounded size however large or small the paper is", async () => {
    const sizes = await Promise.all((["tiny", "huge", "endless"] as const).map(async (kind) => picture(kind)));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [2400, 2400],
      [2400, 2400],
      [2400, 1],
    ]);
    expect(sizes.slice(0, 2).map((page) => [page.at(0.5, 0.25), page.at(0.5, 0.75)])).toEqual([
      [white, near([255, 0, 0])],
      [white, near([255, 0, 0])],
    ]);
  });

  it("are drawn once, and answered with 304 to who has them", async () => {
    const kept = async () => {
      const files = await readdir(library.host.dataFolder, { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.parentPath.includes("unpacked-pages"))
        .map((file) => join(file.parentPath, file.name))
        .sort()
        .map((path) => [path, statSync(path).mtimeMs]);
    };
    const first = await ask("Drawn", 0);
    const before = await kept();
    expect(before.length).toBeGreaterThan(0);
    const again = await ask("Drawn", 0);
    expect(await kept()).toEqual(before);
    expect(Buffer.from(again.bytes).equals(Buffer.from(first.bytes))).toBe(true);
    expect((await ask("Drawn", 0, { "If-None-Match": first.headers.get("etag")! })).status).toBe(304);
  });

  it("can be read when the file is encrypted without a password, misdirected, or behind a link", async () => {
    const pictures = await Promise.all(
      ["Open", "Misdirected", "Linked"].map(async (file) => look((await ask(file, 0)).bytes)),
    );
    expect(pictures.map((page) => page.at(0.09, 0.28))).toEqual([near([0, 0, 0]), near([0, 0, 0]), near([0, 0, 0])]);
  });

  it("are refused with a reason when the file is locked, cut off or without pages", async () => {
    const files = await library.files();
    const errors = Object.fromEntries(
      files.filter((file) => !file.valid).map((file) => [file.path.split("/")[0]!, file.error]),
    );
    expect(errors).toEqual({
      Locked: "The file is protected by a password.",
      Cut: "The PDF is damaged.",
      None: "The archive holds no pages.",
    });
  });

  it("are refused, not shown with a gap, when an image on them is damaged", async () => {
    const answer = await ask("Gap", 0);
    expect([answer.status, answer.body]).toMatchObject([
      404,
      { code: "comics/unreadable", error: "An image of the PDF cannot be decoded." },
    ]);
  });

  const poppler = findProgram("pdftoppm");
  it("look as another program draws them", needs(poppler, "pdftoppm (poppler-utils) is not installed"), async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-comics-pdf-"));
    try {
      const path = join(library.root, "Drawn", "Drawn 001.pdf");
      for (const kind of ["text", "shapes", "form", "rotated", "cropped", "shading", "jbig2", "fax"] as const) {
        const page = names.indexOf(kind);
        await run(poppler!, [
          "-png",
          "-cropbox",
          "-f",
          String(page + 1),
          "-l",
          String(page + 1),
          "-scale-to",
          "240",
          "-singlefile",
          path,
          join(folder, kind),
        ]);
        const [theirs, ours] = await Promise.all(
          [readFileSync(join(folder, `${kind}.png`)), (await ask("Drawn", page)).bytes].map((image) =>
            sharp(image).resize(60, 60, { fit: "fill" }).removeAlpha().toColourspace("srgb").raw().toBuffer(),
          ),
        );
        const apart = theirs!.reduce((sum, value, at) => sum + Math.abs(value - ours![at]!), 0) / theirs!.length;
        expect(apart, kind).toBeLessThan(5);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("a hostile PDF", () => {
  let folder: string;
  let unpacker: Unpacker;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "longbox-comics-pdf-"));
    unpacker = new Unpacker(() => startNestedThread(new URL("../dist/unpack-worker.js", import.meta.url)), {
      memoryBytes: 200_000_000,
      drawMs: 5000,
    });
  });
  afterAll(async () => {
    await unpacker.release();
    await rm(folder, { recursive: true, force: true });
  });
  const read = async (bytes: Uint8Array) => {
    const path = join(folder, "hostile.pdf");
    await writeFile(path, bytes);
    return {
      pages: await unpacker.run({ kind: "count-pdf", path }),
      draw: (page: number) => unpacker.run({ kind: "pdf-page", path, page }),
    };
  };

  it.each([
    [
      "claims more pixels than are decoded",
      () => imagePage("/ColorSpace /DeviceGray /BitsPerComponent 8", 60_000, Buffer.from("x")),
      "too-large",
    ],
    [
      "fills the memory",
      () =>
        imagePage(
          "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
          7700,
          deflateSync(new Uint8Array(7700 * 7700 * 3), { level: 1 }),
        ),
      "too-large",
    ],
    ["never ends", () => drawing("q ".repeat(200_000)), "timeout"],
  ])("that %s is refused, and the next one is drawn", async (_, make, reason) => {
    await expect((await read(make())).draw(0)).rejects.toMatchObject({ reason });
    expect((await look(await (await read(withText().finish())).draw(0))).height).toBe(2400);
  });

  it("has no more pages than it holds", async () => {
    const claiming = (count: string) =>
      Buffer.from(withText().finish().toString("latin1").replace("/Count 1", `/Count ${count}`), "latin1");
    const counts = [await read(claiming("1000000000")), await read(claiming("-5"))].map(({ pages }) => pages);
    expect(counts).toEqual([1, 0]);
  });

  it("is drawn, or refused with a reason, whatever is wrong (30 random damages)", async () => {
    const random = seededRandom(79);
    const whole = everything();
    for (let round = 0; round < 30; round++) {
      const bytes = Buffer.from(whole);
      for (let change = random.between(1, 30); change > 0; change--)
        bytes[random.between(9, bytes.length - 1)] = random.pick([0, 32, 48, 57, 0xff, random.between(0, 255)]);
      try {
        const { pages, draw } = await read(bytes);
        expect((await sharp(await draw(random.between(0, Math.max(0, pages - 1)))).metadata()).format).toBe("jpeg");
      } catch (thrown) {
        expect(thrown).toMatchObject({ name: "UnreadableArchive", message: expect.stringMatching(/\.$/) });
      }
    }
  });
});

function everything(): Buffer {
  const pdf = new PdfWriter();
  for (const add of Object.values(kinds)) add(pdf);
  return pdf.finish();
}

function withText(): PdfWriter {
  const pdf = new PdfWriter();
  kinds.text(pdf);
  return pdf;
}

function drawing(draw: string): Buffer {
  const pdf = new PdfWriter();
  pdf.addPage({ box: [0, 0, 400, 600], draw });
  return pdf.finish();
}

function imagePage(entries: string, side: number, bytes: Uint8Array): Buffer {
  const pdf = new PdfWriter();
  pdf.addImagePage({ width: side, height: side, entries, bytes });
  return pdf.finish();
}

function findProgram(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
