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
const render = (bytes: Uint8Array, options: Partial<RenderOptions> = {}) => imaging.render(bytes, { format: "webp", ...options });
const problem = (work: Promise<unknown>) => work.then(() => "none", (thrown: { code?: string }) => thrown.code);

describe("sizes and formats", () => {
  it("snaps a width up to a kept one, and enlarges nothing", async () => {
    const bytes = await drawPage(1, "1", { width: 700, height: 1050 });
    const sizes = await Promise.all([1, 160, 161, 700, 5000].map(async (width) => (await render(bytes, { width })).width));
    expect(sizes).toEqual([160, 160, 320, 700, 700]);
    expect(await Promise.all([1, 641, 2400, 9999].map((width) => imaging.snap(width)))).toEqual([160, 800, 2400, 2400]);
  });

  it.each([["webp", "webp"], ["avif", "heif"], ["jpeg", "jpeg"], ["png", "png"]] as const)("makes %s", async (format, found) => {
    const image = await render(await drawPage(2, "2", { width: 200, height: 300 }), { width: 160, format });
    expect([image.contentType, (await sharp(image.bytes).metadata()).format]).toEqual([`image/${format}`, found]);
  });

  it.each([
    [undefined, undefined], ["*/*", undefined], ["image/*", undefined], ["image/webp", "webp"], ["image/avif,image/webp,*/*", "webp"],
    ["image/avif, image/webp;q=0.5", "avif"], ["image/webp;q=0", undefined], ["IMAGE/AVIF;q=0.2", "avif"], ["image/webp;q=x", undefined],
  ])("chooses for Accept: %s the format %s", async (accept, format) => {
    expect(await imaging.chooseFormat(accept)).toBe(format);
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
      const { channels, space } = await sharp(image.bytes).stats().then(async (stats) => ({ channels: stats.channels.map((channel) => channel.mean), space: (await sharp(image.bytes).metadata()).space }));
      expect(space).toBe("srgb");
      expect([channels[0]! > 150, channels[1]! < 90, channels[2]! < 100]).toEqual([true, true, true]);
    }
  });

  it("shows a page that was scanned sideways upright", async () => {
    const bytes = await sharp(await drawPage(3, "3", { width: 300, height: 200 })).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await render(bytes, { width: 160 })).toMatchObject({ width: 160, height: 240 });
  });

  it("serves a strip 20,000 pixels high, as JPEG where WebP could not hold it", async () => {
    const strip = await sharp({ create: { width: 800, height: 20_000, channels: 3, background: white } }).jpeg().toBuffer();
    expect(await render(strip, { width: 800 })).toMatchObject({ contentType: "image/jpeg", width: 800, height: 20_000 });
    expect(await render(strip, { width: 320 })).toMatchObject({ contentType: "image/webp", width: 320, height: 8000 });
  });

  it("keeps an animation moving in WebP, and shows its first picture in others", async () => {
    const frames = await Promise.all([1, 2, 3].map((seed) => drawPage(seed, String(seed), { width: 200, height: 100 }, "png")));
    const gif = await sharp(frames.map((frame) => Buffer.from(frame)), { join: { animated: true } }).gif({ delay: [100, 100, 100] }).toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(3);
    const [moving, still] = await Promise.all([render(gif, { width: 160, trim: true }), render(gif, { width: 160, format: "jpeg" })]);
    expect([(await sharp(moving.bytes).metadata()).pages, moving.width, moving.height, still.height]).toEqual([3, 160, 80, 80]);
  });

  it("refuses what is no image, what is a program's drawing, and what would take too much memory", async () => {
    const jpeg = await drawPage(4, "4", { width: 300, height: 300 });
    const huge = await sharp({ create: { width: 15_000, height: 10_000, channels: 3, background: white } }).png({ compressionLevel: 9 }).toBuffer();
    const tried = [Buffer.from("not an image"), Buffer.alloc(0), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'), Buffer.from("%PDF-1.7 …"), huge];
    expect(await Promise.all(tried.map((bytes) => problem(render(bytes, { width: 160 }))))).toEqual(["imaging/not-an-image", "imaging/not-an-image", "imaging/not-an-image", "imaging/not-an-image", "imaging/too-large"]);
    expect(await problem(render(jpeg, { width: 160 }))).toBe("none");
  });

  it("shows what is there of a page that was cut off", async () => {
    const jpeg = await drawPage(5, "5", { width: 600, height: 900 });
    expect(await render(jpeg.subarray(0, Math.floor(jpeg.length * 0.7)), { width: 320 })).toMatchObject({ width: 320, height: 480 });
  });
});

describe("trimming", () => {
  const page = { width: 1000, height: 1500 };

  /** A page with a plain border and a dense drawing inside it, and where the drawing is. */
  async function bordered(seed: number, paper = white) {
    const random = seededRandom(seed);
    const art = { left: random.between(10, 140), top: random.between(10, 200), right: random.between(10, 140), bottom: random.between(10, 200) };
    const size = { width: page.width - art.left - art.right, height: page.height - art.top - art.bottom };
    const drawing = await sharp(await drawPage(seed, "art", size, "png")).extend({ top: 0, bottom: 0, left: 0, right: 0 }).composite([{ input: frame(size), blend: "over" }]).png().toBuffer();
    const bytes = await sharp({ create: { ...page, channels: 3, background: paper } }).composite([{ input: drawing, left: art.left, top: art.top }]).jpeg({ quality: 80 }).toBuffer();
    return { bytes, size };
  }

  const frame = ({ width, height }: { width: number; height: number }) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="1" y="1" width="${width - 2}" height="${height - 2}" fill="none" stroke="#333" stroke-width="2"/></svg>`);

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
    const dot = { input: { create: { width: 3, height: 3, channels: 3 as const, background: { r: 90, g: 90, b: 90 } } }, left: 20, top: 700 };
    const block = { input: { create: { width: 700, height: 1100, channels: 3 as const, background: { r: 20, g: 60, b: 120 } } }, left: 150, top: 200 };
    const bytes = await sharp({ create: { ...page, channels: 3, background: white } }).composite([block, dot]).png().toBuffer();
    const { bytes: trimmed, width } = await render(bytes, { trim: true, format: "png" });
    const darkest = await sharp(trimmed).extract({ left: 0, top: 0, width: 60, height: 1100 }).stats();
    expect([width >= 830, darkest.channels[0]!.min < 120]).toEqual([true, true]);
  });

  it("leaves a black panel that bleeds off one edge, and a page of one colour", async () => {
    const panel = { input: { create: { width: 1000, height: 500, channels: 3 as const, background: { r: 0, g: 0, b: 0 } } }, left: 0, top: 1000 };
    const bleeding = await sharp({ create: { ...page, channels: 3, background: white } }).composite([panel]).png().toBuffer();
    expect(await render(bleeding, { trim: true, format: "png" })).toMatchObject(page);
    const plain = await render(await sharp({ create: { ...page, channels: 3, background: { r: 0, g: 0, b: 0 } } }).png().toBuffer(), { trim: true, format: "png" });
    expect([plain.width >= page.width * 0.7, plain.height >= page.height * 0.7]).toEqual([true, true]);
  });

  it("gives the art the width that is asked for", async () => {
    const { bytes } = await bordered(3);
    expect((await render(bytes, { trim: true, width: 480, format: "jpeg" })).width).toBe(480);
  });
});

describe("under load", () => {
  it("renders what somebody waits for before what is made ahead, and lets go of what nobody wants any more", async () => {
    const bytes = await drawPage(9, "9", { width: 1600, height: 2400 });
    const ended: string[] = [];
    const gone = new AbortController();
    const ahead = Array.from({ length: 8 }, (_, index) => render(bytes, { width: 1200, urgency: "ahead" }).then(() => ended.push(`ahead ${index}`)));
    const unwanted = imaging.render(bytes, { format: "webp", width: 1200, urgency: "ahead" }, gone.signal).then(() => "made", () => "let go");
    const now = render(bytes, { width: 1200 }).then(() => ended.push("now"));
    gone.abort();
    await Promise.all([...ahead, now]);
    expect(ended.indexOf("now")).toBeLessThan(4);
    expect(await unwanted).toBe("let go");
  });
});
