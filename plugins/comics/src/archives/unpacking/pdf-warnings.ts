import { UnreadableArchive } from "../unreadable.js";

const leftOut = "Image exceeded maximum allowed size";
let sawLargeImage = false;

// pdfjs leaves out what is larger than it may decode, and says so in a warning and nowhere else. The other warnings, of
// which damaged files make hundreds, are of no use to anybody. This thread does nothing but unpack, so that they are
// all its own.
Object.assign(globalThis.console, {
  warn(text: unknown) {
    sawLargeImage ||= String(text).includes(leftOut);
  },
});

/** Rather no page than one without its art. @throws {UnreadableArchive} `too-large` when `draw` left out an image */
export async function refusingLargeImages<T>(draw: () => Promise<T>): Promise<T> {
  sawLargeImage = false;
  const drawn = await draw();
  if (sawLargeImage) throw new UnreadableArchive("too-large", "An image of the PDF is too large to be shown.");
  return drawn;
}
