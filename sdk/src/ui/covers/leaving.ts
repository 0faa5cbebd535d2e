import { noChange } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";
import type { ElementPart } from "lit/directive.js";

/** Where the pictures that were given up come from, for when their elements come back. */
interface Source {
  readonly src: string | null;
  readonly srcset: string | null;
}

class Leaving extends AsyncDirective {
  #image: HTMLImageElement | undefined;
  #source: Source | undefined;

  override render(): unknown {
    return noChange;
  }

  override update({ element }: ElementPart): unknown {
    this.#image = element as HTMLImageElement;
    return noChange;
  }

  protected override disconnected(): void {
    const image = this.#image;
    if (!image || image.complete) return;
    this.#source = { src: image.getAttribute("src"), srcset: image.getAttribute("srcset") };
    for (const name of ["srcset", "src"]) image.removeAttribute(name);
  }

  protected override reconnected(): void {
    const [image, source] = [this.#image, this.#source];
    this.#source = undefined;
    if (!image || !source || image.hasAttribute("src")) return;
    if (source.srcset !== null) image.setAttribute("srcset", source.srcset);
    if (source.src !== null) image.setAttribute("src", source.src);
  }
}

/**
 * In the tag of an image: its picture is not loaded any further once it has left the document, as rows do that were
 * scrolled past.
 */
export const leaving = directive(Leaving);
