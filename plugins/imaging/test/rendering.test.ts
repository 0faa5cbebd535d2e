import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawPage, seededRandom } from "@longbox/test/fixtures";
import { Imaging, type ImagingContract, type RenderOptions } from "@longbox/imaging/contract";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";

let host: TestHost;
let imaging: ImagingContract;
beforeAll(async () => {
  host = await startTestHost({ plugins: ["imaging"] });
  imaging = host.use(Imaging);
});
afterAll(() => host[Symbol.asyncDispose]());

const white = { r: 255, g: 255, b: 255 };
const render = (bytes: Uint8Array, options: Partial<RenderOptions> = {}) =>
  imaging.render(bytes, { format: "webp", ...options });
const problem = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (thrown: { code?: string }) => thrown.code,
  );

describe("sizes and formats", () => {
  it("snaps a width up to a kept one, and enlarges nothing", async () => {
    const bytes = await drawPage(1, "1", { width: 700, height: 1050 });
    const sizes = await Promise.all(
      [1, 160, 161, 700, 5000].map(async (width) => (await render(bytes, { width })).width),
    );
    expect(sizes).toEqual([160, 160, 320, 700, 700]);
    expect(await Promise.all([1, 641, 2400, 9999].map((width) => imaging.snap(width)))).toEqual([160, 800, 2400, 2400]);
  });

  it.each([
    ["webp", "webp"],
    ["avif", "heif"],
    ["jpeg", "jpeg"],
    ["png", "png"],
  ] as const)("makes %s", async (format, found) => {
    const image = await render(await drawPage(2, "2", { width: 200, height: 300 }), { width: 160, format });
    expect([image.contentType, (await sharp(image.bytes).metadata()).format]).toEqual([`image/${format}`, found]);
  });

  it.each([
    [undefined, undefined],
    ["*/*", undefined],
    ["image/*", undefined],
    ["image/webp", "webp"],
    ["image/avif,image/webp,*/*", "webp"],
    ["image/avif, image/webp;q=0.5", "avif"],
    ["image/webp;q=0", undefined],
    ["IMAGE/AVIF;q=0.2", "avif"],
    ["image/webp;q=x", undefined],
    ["image/jpeg, image/webp;q=0.5", undefined],
    ["image/webp, image/jpeg", "webp"],
    ["image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "webp"],
  ])("chooses for Accept: %s the format %s", async (accept, format) => {
    expect(await imaging.chooseFormat(accept)).toBe(format);
  });
});

/** A Windows bitmap of an image: of 24 or 32 bits, or of one bit with a palette of two colours. */
async function bitmapOf(image: Uint8Array, bits: 1 | 24 | 32): Promise<Buffer> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const head = Buffer.alloc(bits === 1 ? 62 : 54);
  head.write("BM");
  for (const [at, value] of [
    [10, head.length],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    head.writeInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  if (bits === 1) head.writeUInt32LE(0x00ffffff, 58);
  const pixels = Buffer.alloc(rowBytes * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [red, green, blue] = data.subarray((row * width + column) * 3);
      const at = (height - 1 - row) * rowBytes;
      if (bits === 1) pixels[at + (column >> 3)]! |= green! > 127 ? 128 >> (column & 7) : 0;
      else pixels.set([blue!, green!, red!], at + column * (bits / 8));
    }
  return Buffer.concat([head, pixels]);
}

describe("Windows bitmaps", () => {
  const halves = (left: string, right: string) =>
    sharp({ create: { width: 101, height: 60, channels: 3, background: right } })
      .composite([{ input: { create: { width: 50, height: 30, channels: 3, background: left } }, left: 0, top: 0 }])
      .png()
      .toBuffer();

  it("are shown upright in their colours, of 24 and 32 bits and with a palette", async () => {
    const images = [
      { bits: 24, left: "#ff0000", right: "#0000ff", seen: [255, 0, 0, 0, 0, 255] },
      { bits: 32, left: "#ff0000", right: "#0000ff", seen: [255, 0, 0, 0, 0, 255] },
      { bits: 1, left: "#000000", right: "#ffffff", seen: [0, 0, 0, 255, 255, 255] },
    ] as const;
    for (const { bits, left, right, seen } of images) {
      const image = await render(await bitmapOf(await halves(left, right), bits), { format: "png" });
      expect([image.contentType, image.width, image.height], String(bits)).toEqual(["image/png", 101, 60]);
      const { data, info } = await sharp(image.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
      expect([...at(10, 10), ...at(90, 10)], String(bits)).toEqual(seen);
      expect(at(10, 50), String(bits)).toEqual(seen.slice(3));
    }
  });

  it("are refused when they are cut off, compressed or larger than memory allows", async () => {
    const bitmap = await bitmapOf(await halves("#ff0000", "#0000ff"), 24);
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(bitmap);
      copy.writeInt32LE(value, at);
      return copy;
    };
    const tried = [bitmap.subarray(0, 500), changed(30, 1), changed(18, 2_000_000_000), changed(18, -1)];
    expect(await Promise.all(tried.map((bytes) => problem(render(bytes, { width: 160 }))))).toEqual(
      tried.map(() => "imaging/not-an-image"),
    );
  });
});

describe("odd images", () => {
  it("turns CMYK and 16 bits into what a browser shows, in the right colours", async () => {
    const red = { create: { width: 60, height: 90, channels: 3 as const, background: { r: 200, g: 30, b: 40 } } };
    const cmyk = await sharp(red).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    const deep = await sharp(red).toColourspace("rgb16").png().toBuffer();
    expect([(await sharp(cmyk).metadata()).space, (await sharp(deep).metadata()).depth]).toEqual(["cmyk", "ushort"]);
    for (const bytes of [cmyk, deep]) {
      const image = await render(bytes, { width: 160, format: "jpeg" });
      const { channels, space } = await sharp(image.bytes)
        .stats()
        .then(async (stats) => ({
          channels: stats.channels.map((channel) => channel.mean),
          space: (await sharp(image.bytes).metadata()).space,
        }));
      expect(space).toBe("srgb");
      expect([channels[0]! > 150, channels[1]! < 90, channels[2]! < 100]).toEqual([true, true, true]);
    }
  });

  it("shows a page that was scanned sideways upright", async () => {
    const bytes = await sharp(await drawPage(3, "3", { width: 300, height: 200 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await render(bytes, { width: 160 })).toMatchObject({ width: 160, height: 240 });
  });

  it("serves a strip 20,000 pixels high, as JPEG where WebP could not hold it", async () => {
    const strip = await sharp({ create: { width: 800, height: 20_000, channels: 3, background: white } })
      .jpeg()
      .toBuffer();
    expect(await render(strip, { width: 800 })).toMatchObject({
      contentType: "image/jpeg",
      width: 800,
      height: 20_000,
    });
    expect(await render(strip, { width: 320 })).toMatchObject({ contentType: "image/webp", width: 320, height: 8000 });
  });

  it("keeps an animation moving in WebP, and shows its first picture in others", async () => {
    const frames = await Promise.all(
      [1, 2, 3].map((seed) => drawPage(seed, String(seed), { width: 200, height: 100, format: "png" })),
    );
    const gif = await sharp(
      frames.map((frame) => Buffer.from(frame)),
      { join: { animated: true } },
    )
      .gif({ delay: [100, 100, 100] })
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(3);
    const [moving, still] = await Promise.all([
      render(gif, { width: 160, trim: true }),
      render(gif, { width: 160, format: "jpeg" }),
    ]);
    expect([(await sharp(moving.bytes).metadata()).pages, moving.width, moving.height, still.height]).toEqual([
      3, 160, 80, 80,
    ]);
  });

  it("refuses what is no image, what is a program's drawing, and what would take too much memory", async () => {
    const jpeg = await drawPage(4, "4", { width: 300, height: 300 });
    const huge = await sharp({ create: { width: 15_000, height: 10_000, channels: 3, background: white } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const tried = [
      Buffer.from("not an image"),
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
      Buffer.from("%PDF-1.7 …"),
      huge,
    ];
    expect(await Promise.all(tried.map((bytes) => problem(render(bytes, { width: 160 }))))).toEqual([
      "imaging/not-an-image",
      "imaging/not-an-image",
      "imaging/not-an-image",
      "imaging/not-an-image",
      "imaging/too-large",
    ]);
    expect(await problem(render(jpeg, { width: 160 }))).toBe("none");
  });

  it("shows the colours that a profile means, not the numbers in the file", async () => {
    const profiled = await sharp({ create: { width: 60, height: 90, channels: 3, background: { r: 255, g: 0, b: 0 } } })
      .withIccProfile("p3", { attach: true })
      .png()
      .toBuffer();
    const { bytes } = await render(await sharp(profiled).keepIccProfile().png().toBuffer(), { format: "png" });
    const shown = (await sharp(bytes).stats()).channels.map((channel) => Math.round(channel.mean));
    expect([(await sharp(profiled).metadata()).hasProfile, shown]).toEqual([true, [255, 0, 0]]);
  });

  it("leaves a moving PNG, of which libvips sees one picture, to clients that show WebP", async () => {
    const still = Buffer.from(await drawPage(6, "6", { width: 200, height: 300, format: "png" }));
    const control = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from("acTL"), Buffer.alloc(8), Buffer.alloc(4)]);
    const moving = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    expect(await Promise.all([still, moving].map((bytes) => problem(render(bytes, { width: 160 }))))).toEqual([
      "none",
      "imaging/movement-lost",
    ]);
    expect(await render(moving, { width: 160, format: "jpeg" })).toMatchObject({
      contentType: "image/jpeg",
      width: 160,
    });
  });

  it("refuses images whose decoder must hold more of them than memory allows, and takes their like that come in rows", async () => {
    const flat = () => sharp({ create: { width: 8000, height: 6000, channels: 3, background: white } });
    const [rows, scans, coded] = await Promise.all([
      flat().jpeg().toBuffer(),
      flat().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer(),
      sharp({ create: { width: 4500, height: 4000, channels: 3, background: white } })
        .avif({ effort: 0 })
        .toBuffer(),
    ]);
    const found = [];
    for (const bytes of [rows, scans, coded]) found.push(await problem(render(bytes, { width: 320 })));
    expect(found).toEqual(["none", "imaging/too-large", "imaging/too-large"]);
  });

  it("shows what is there of a page that was cut off", async () => {
    const jpeg = await drawPage(5, "5", { width: 600, height: 900 });
    expect(await render(jpeg.subarray(0, Math.floor(jpeg.length * 0.7)), { width: 320 })).toMatchObject({
      width: 320,
      height: 480,
    });
  });
});

describe("trimming", () => {
  const page = { width: 1000, height: 1500 };

  /** A page with a plain border and a dense drawing inside it, and where the drawing is. */
  async function bordered(seed: number, paper = white) {
    const random = seededRandom(seed);
    const art = {
      left: random.between(10, 140),
      top: random.between(10, 200),
      right: random.between(10, 140),
      bottom: random.between(10, 200),
    };
    const size = { width: page.width - art.left - art.right, height: page.height - art.top - art.bottom };
    const drawing = await sharp(await drawPage(seed, "art", { ...size, format: "png" }))
      .extend({ top: 0, bottom: 0, left: 0, right: 0 })
      .composite([{ input: frame(size), blend: "over" }])
      .png()
      .toBuffer();
    const bytes = await sharp({ create: { ...page, channels: 3, background: paper } })
      .composite([{ input: drawing, left: art.left, top: art.top }])
      .jpeg({ quality: 80 })
      .toBuffer();
    return { bytes, size };
  }

  const frame = ({ width, height }: { width: number; height: number }) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="1" y="1" width="${width - 2}" height="${height - 2}" fill="none" stroke="#333" stroke-width="2"/></svg>`,
    );

  it("cuts the border and nothing of the art, on white, yellowed and black paper", async () => {
    for (const [index, paper] of [white, { r: 238, g: 230, b: 205 }, { r: 6, g: 6, b: 8 }].entries()) {
      for (let seed = 1; seed <= 4; seed++) {
        const { bytes, size } = await bordered(seed + index * 10, paper);
        const trimmed = await render(bytes, { trim: true, format: "png" });
        expect(trimmed.width, `seed ${seed}, paper ${index}`).toBeGreaterThanOrEqual(size.width);
        expect(trimmed.height).toBeGreaterThanOrEqual(size.height);
        expect(trimmed.width).toBeLessThanOrEqual(size.width + 0.04 * page.width);
        expect(trimmed.height).toBeLessThanOrEqual(size.height + 0.04 * page.height);
      }
    }
  });

  it("keeps a single pencil dot near the edge", async () => {
    const dot = {
      input: { create: { width: 3, height: 3, channels: 3 as const, background: { r: 90, g: 90, b: 90 } } },
      left: 20,
      top: 700,
    };
    const block = {
      input: { create: { width: 700, height: 1100, channels: 3 as const, background: { r: 20, g: 60, b: 120 } } },
      left: 150,
      top: 200,
    };
    const bytes = await sharp({ create: { ...page, channels: 3, background: white } })
      .composite([block, dot])
      .png()
      .toBuffer();
    const { bytes: trimmed, width } = await render(bytes, { trim: true, format: "png" });
    const darkest = await sharp(trimmed).extract({ left: 0, top: 0, width: 60, height: 1100 }).stats();
    expect([width >= 830, darkest.channels[0]!.min < 120]).toEqual([true, true]);
  });

  it.each<[string, { r: number; g: number; b: number }]>([
    ["pale yellow", { r: 255, g: 255, b: 200 }],
    ["ice blue", { r: 228, g: 255, b: 255 }],
    ["ivory", { r: 255, g: 255, b: 246 }],
  ])("keeps a ground of %s, as bright as the paper", async (_name, ground) => {
    const size = { width: 860, height: 1300 };
    const art = await sharp({ create: { ...size, channels: 3, background: ground } })
      .composite([{ input: Buffer.from(await drawPage(1, "art", { width: 500, height: 800, format: "png" })) }])
      .png()
      .toBuffer();
    const bytes = await sharp({ create: { ...page, channels: 3, background: white } })
      .composite([{ input: art, left: 70, top: 100 }])
      .png()
      .toBuffer();
    const trimmed = await render(bytes, { trim: true, format: "png" });
    expect([
      trimmed.width >= size.width && trimmed.width < 900,
      trimmed.height >= size.height && trimmed.height < 1340,
    ]).toEqual([true, true]);
  });

  it("keeps a faint frame of a single pixel around the panels of a large scan", async () => {
    const scan = { width: 1988, height: 3057 };
    const hairline = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1988" height="3057"><rect x="100" y="120" width="1788" height="2817" fill="none" stroke="#f0f0f0"/><rect x="500" y="700" width="900" height="1500" fill="#246"/></svg>`,
    );
    const bytes = await sharp({ create: { ...scan, channels: 3, background: white } })
      .composite([{ input: hairline }])
      .png()
      .toBuffer();
    const trimmed = await render(bytes, { trim: true, format: "png" });
    expect([trimmed.width >= 1788 && trimmed.width < 1850, trimmed.height >= 2817 && trimmed.height < 2900]).toEqual([
      true,
      true,
    ]);
  });

  it("cuts the border of a noisy, unevenly lit scan", async () => {
    const random = seededRandom(7);
    const levels = Buffer.alloc(page.width * page.height * 3);
    for (let index = 0; index < levels.length; index++) {
      const [column, row] = [Math.floor(index / 3) % page.width, Math.floor(index / 3 / page.width)];
      const isArt = column >= 100 && column < 900 && row >= 130 && row < 1370;
      levels[index] =
        (isArt ? 60 + ((column * row) % 90) : 236 - 8 * Math.max(0, 1 - column / 400)) + random.between(-6, 6);
    }
    const bytes = await sharp(levels, { raw: { ...page, channels: 3 } })
      .jpeg({ quality: 85 })
      .toBuffer();
    const { width, height } = await render(bytes, { trim: true, format: "png" });
    expect([width >= 800 && width < 850, height >= 1240 && height < 1300]).toEqual([true, true]);
  });

  it("leaves pages whose borders have two colours, and pages that are nothing but paper", async () => {
    const half = {
      input: { create: { width: 500, height: 1500, channels: 3 as const, background: { r: 0, g: 0, b: 0 } } },
      left: 500,
      top: 0,
    };
    const twoColours = await sharp({ create: { ...page, channels: 3, background: white } })
      .composite([half])
      .png()
      .toBuffer();
    const [blank, black] = await Promise.all(
      [white, { r: 0, g: 0, b: 0 }].map((background) =>
        sharp({ create: { ...page, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      ),
    );
    for (const bytes of [twoColours, blank!, black!])
      expect(await render(bytes, { trim: true, format: "png" })).toMatchObject(page);
  });

  it("leaves a black panel that bleeds off one edge", async () => {
    const panel = {
      input: { create: { width: 1000, height: 500, channels: 3 as const, background: { r: 0, g: 0, b: 0 } } },
      left: 0,
      top: 1000,
    };
    const bleeding = await sharp({ create: { ...page, channels: 3, background: white } })
      .composite([panel])
      .png()
      .toBuffer();
    expect(await render(bleeding, { trim: true, format: "png" })).toMatchObject(page);
  });

  it("gives the art the width that is asked for", async () => {
    const { bytes } = await bordered(3);
    expect((await render(bytes, { trim: true, width: 480, format: "jpeg" })).width).toBe(480);
  });
});

describe("under load", () => {
  it("renders requested images before those made in advance, and cancels those that are not wanted any more", async () => {
    const bytes = await drawPage(9, "9", { width: 1600, height: 2400 });
    const ended: string[] = [];
    const gone = new AbortController();
    const ahead = Array.from({ length: 8 }, (_, index) =>
      render(bytes, { width: 1200, urgency: "ahead" }).then(() => ended.push(`ahead ${index}`)),
    );
    const unwanted = imaging.render(bytes, { format: "webp", width: 1200, urgency: "ahead" }, gone.signal).then(
      () => "made",
      () => "let go",
    );
    const now = render(bytes, { width: 1200 }).then(() => ended.push("now"));
    gone.abort();
    await Promise.all([...ahead, now]);
    expect(ended.indexOf("now")).toBeLessThan(4);
    expect(await unwanted).toBe("let go");
  });
});
