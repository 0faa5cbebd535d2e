import { addressOf, t } from "@longbox/sdk/ui";

/** The widths that the server makes, in pixels; what is wider is sent as it is. */
const widths = [160, 320, 480, 640, 800, 1200, 1600, 2000, 2400] as const;
/** Decoded pages that are kept: a page of 1600 × 2400 takes 15 MB. */
const mostKept = 14;
/** Pages of usual shape: the middle one of these counts. */
const enoughShapes = 9;

export interface PageAddress {
  readonly cvIssueId: number;
  readonly version: string;
  readonly trim: boolean;
}

export interface LoadedPage {
  readonly page: number;
  readonly image: HTMLImageElement;
  /** The width that was asked for; undefined for the page as it is. */
  readonly width: number | undefined;
}

/** The width of the server's renderings for a wanted width in device pixels; undefined to use the original. */
export function keptWidth(pixels: number): number | undefined {
  return widths.find((width) => width >= Math.floor(pixels));
}

export function pageUrl({ cvIssueId, version, trim }: PageAddress, page: number, width: number | undefined): string {
  const query = new URLSearchParams();
  if (width !== undefined) query.set("w", String(width));
  if (trim) query.set("trim", "1");
  query.set("v", version);
  return `/api/reader/issue/${cvIssueId}/page/${page}?${query}`;
}

interface Loading {
  readonly page: number;
  readonly image: HTMLImageElement;
  readonly loaded: Promise<LoadedPage>;
  /** Aborts the request. Defined while the request is running. */
  cancel(): void;
}

/** Loads and decodes pages, so that they are shown without flicker, and caches the last ones. */
export class PageImages {
  readonly #address: PageAddress;
  readonly #shapeKnown: () => void;
  readonly #kept = new Map<string, Loading>();
  readonly #underWay = new Set<Loading>();
  readonly #aspects = new Map<number, number>();

  /** @param shapeKnown - Called when the shape of a page became known. */
  constructor(address: PageAddress, shapeKnown: () => void = () => {}) {
    this.#address = address;
    this.#shapeKnown = shapeKnown;
  }

  /** The width of a page divided by its height, once it has been loaded in any size. */
  readonly aspectOf = (page: number): number | undefined => this.#aspects.get(page);

  /** The shape that most of the loaded pages have; the first page is left out, because covers differ. */
  get typicalAspect(): number | undefined {
    const inside = [...this.#aspects].filter(([page]) => page > 0).map(([, aspect]) => aspect);
    const sorted = inside.slice(0, enoughShapes).sort((one, other) => one - other);
    return sorted[sorted.length >> 1];
  }

  /** Rejects when the page cannot be loaded or is no image; asking again tries again. */
  load(page: number, width: number | undefined): Promise<LoadedPage> {
    const key = `${page}@${width ?? "full"}`;
    const kept = this.#kept.get(key) ?? this.#fetch(page, width);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.loaded.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
    while (this.#kept.size > mostKept) this.#drop(this.#kept.keys().next().value!);
    return kept.loaded;
  }

  /** An image that is shown nowhere gives its memory back at once; otherwise that waits for the browser's collector. */
  #drop(key: string): void {
    const dropped = this.#kept.get(key);
    this.#kept.delete(key);
    if (dropped && !this.#underWay.has(dropped) && !dropped.image.isConnected) dropped.image.removeAttribute("src");
  }

  /** Aborts requests for pages that are no longer needed. */
  abandon(isWanted: (page: number) => boolean): void {
    for (const [key, kept] of this.#kept) if (this.#underWay.has(kept) && !isWanted(kept.page)) this.#kept.delete(key);
    for (const loading of this.#underWay) if (!isWanted(loading.page)) loading.cancel();
  }

  release(): void {
    this.abandon(() => false);
  }

  #fetch(page: number, width: number | undefined): Loading {
    const image = new Image();
    const loaded = this.#decode(image, page, width).finally(() => this.#underWay.delete(loading));
    const loading: Loading = { page, image, loaded, cancel: () => image.removeAttribute("src") };
    this.#underWay.add(loading);
    return loading;
  }

  async #decode(image: HTMLImageElement, page: number, width: number | undefined): Promise<LoadedPage> {
    image.decoding = "async";
    image.draggable = false;
    image.alt = t("pageImages.page", { page: page + 1 });
    image.src = addressOf(pageUrl(this.#address, page, width));
    await decoded(image);
    const isNew = !this.#aspects.has(page);
    this.#aspects.set(page, image.naturalWidth / Math.max(1, image.naturalHeight));
    if (isNew) this.#shapeKnown();
    return { page, image, width };
  }
}

/**
 * Browsers refuse to decode ahead while they set up a window or are short of memory. An image that was loaded is shown
 * all the same: it is decoded when it is drawn.
 */
async function decoded(image: HTMLImageElement): Promise<void> {
  try {
    await image.decode();
  } catch (problem) {
    if (!image.complete || image.naturalWidth === 0) throw problem;
  }
}
