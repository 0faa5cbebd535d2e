import { findPanels, type Panel } from "./find-panels.js";

/** What the worker is asked: the panels of the page at an address, which is relative to this server. */
export interface PanelQuestion {
  readonly id: number;
  readonly url: string;
  readonly direction: "ltr" | "rtl";
}
export interface PanelAnswer {
  readonly id: number;
  readonly panels: readonly Panel[];
}

/** The page is searched in this width, in points: gutters are still seen, and it takes milliseconds. */
const searchedWidth = 480;

addEventListener("message", (event: MessageEvent<PanelQuestion>) => void answer(event.data));

async function answer({ id, url, direction }: PanelQuestion): Promise<void> {
  let panels: readonly Panel[] = [];
  try {
    panels = findPanels(await greyPage(url), direction);
  } catch {
    // A page that cannot be loaded has no panels to walk; the stage says what is wrong with it.
  }
  postMessage({ id, panels } satisfies PanelAnswer);
}

async function greyPage(url: string) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const image = await createImageBitmap(await response.blob(), { resizeWidth: searchedWidth, resizeQuality: "medium" });
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (!drawing) throw new Error("This browser cannot draw in a worker.");
  drawing.drawImage(image, 0, 0);
  image.close();
  const { data } = drawing.getImageData(0, 0, width, height);
  const points = new Uint8Array(width * height);
  for (let point = 0; point < points.length; point++)
    points[point] = (data[point * 4]! * 77 + data[point * 4 + 1]! * 150 + data[point * 4 + 2]! * 29) >> 8;
  return { width, height, points };
}
