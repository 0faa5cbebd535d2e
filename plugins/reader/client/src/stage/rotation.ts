/** How far pages are turned clockwise, in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

export function turnedOn(rotation: Rotation): Rotation {
  return ((rotation + 90) % 360) as Rotation;
}

/** The ratio of width to height of a page when it is turned. */
export function turnedAspect(aspect: number, rotation: Rotation): number {
  return rotation % 180 === 0 ? aspect : 1 / aspect;
}

/** Makes an image fill the box around it. @param aspect - of the box: its width divided by its height */
export function turnImage(image: HTMLImageElement, rotation: Rotation, aspect: number): void {
  const isSideways = rotation % 180 !== 0;
  image.style.width = isSideways ? `${100 / aspect}%` : "100%";
  image.style.height = isSideways ? `${100 * aspect}%` : "100%";
  image.style.rotate = rotation === 0 ? "" : `${rotation}deg`;
}
