/** A wordless comic: each panel is the same scene a little later. */
export interface Story {
  readonly title: string;
  readonly summary: string;
  readonly issues: number;
  /** Behind the letters of the cover, and for the letters. */
  readonly colours: { readonly sky: string; readonly ink: string };
  /** The scene in a square of 100 by 100 units. @param time - From 0, at the beginning of the first issue, to 1 */
  scene(time: number): string;
}

const between = (from: number, to: number, time: number) => (from + (to - from) * time).toFixed(2);
/** @param place - The middle and the radius, in the order x, y, radius */
const circle = (place: readonly [number | string, number | string, number | string], fill: string) =>
  `<circle cx="${place[0]}" cy="${place[1]}" r="${place[2]}" fill="${fill}"/>`;
/** A number from 0 to 1 that looks random, the same for the same index. */
const scattered = (index: number) => Math.abs(Math.sin(index * 127.1 + 11.7) * 43758.5453) % 1;

/** A moth flies up to the moon, which grows as it comes nearer. */
function moth(time: number): string {
  const stars = Array.from({ length: 26 }, (_, index) =>
    circle([scattered(index) * 100, scattered(index + 50) * 78, 0.3 + scattered(index + 9) * 0.6], "#fdf4d3"),
  ).join("");
  const [x, y] = [18 + 50 * time, 78 - 52 * time + Math.sin(time * 40) * 6];
  const beat = 5 + 4 * Math.abs(Math.sin(time * 90));
  const wings =
    `<path d="M${x} ${y}q-9 -${beat} -11 2q3 6 11 1z" fill="#e8c39e"/>` +
    `<path d="M${x} ${y}q9 -${beat} 11 2q-3 6 -11 1z" fill="#f4d8b5"/>`;
  const body = `<ellipse cx="${x}" cy="${y + 1}" rx="1.4" ry="4" fill="#4a3428"/>`;
  const hills = `<path d="M0 86q22 -12 46 -3t54 -4v21h-100z" fill="#13263f"/><path d="M0 93q34 -9 62 -2t38 -3v12h-100z" fill="#0b1626"/>`;
  const moon = circle([74, 24, between(9, 24, time)], "#ffe9a8") + circle([69, 20, between(2, 5, time)], "#f2d27c");
  return `<rect width="100" height="100" fill="#1f3b63"/>${stars}${moon}${hills}${wings}${body}`;
}

/** A whale of tin swims from the morning into the night, deeper each time. */
function whale(time: number): string {
  const level = 34 - 16 * time;
  const [x, y] = [66 - 64 * time, level + 18 + Math.sin(time * 30) * 7];
  const sky = time < 0.5 ? "#f9c784" : "#3d3a6b";
  const sun = circle([20 + 50 * time, 12 + 26 * time, 7], time < 0.5 ? "#fff3c9" : "#f4845f");
  const waves = Array.from({ length: 3 }, (_, index) => {
    const top = level + index * 17;
    return `<path d="M0 ${top}q12 -6 25 0t25 0t25 0t25 0v${100 - top}h-100z" fill="${["#3fa7a0", "#2a7f8f", "#175a75"][index]}"/>`;
  }).join("");
  const bubbles = Array.from({ length: 7 }, (_, index) =>
    circle([x + 4 - index * 2, y - 6 - index * (3 + scattered(index) * 2), 0.6 + scattered(index + 3)], "#d7f3ee"),
  ).join("");
  const body =
    `<path d="M${x} ${y}q2 -11 16 -11t17 9l6 -5q3 6 -2 10l-5 1q-5 7 -16 7t-16 -11z" fill="#b9c4cc" stroke="#54626c"/>` +
    `<path d="M${x + 3} ${y + 4}q12 7 26 1" fill="none" stroke="#54626c"/>` +
    circle([x + 6, y - 3, 1.5], "#22303a");
  const rivets = [12, 17, 22, 27].map((step) => circle([x + step, y - 7, 0.6], "#54626c")).join("");
  return `<rect width="100" height="100" fill="${sky}"/>${sun}${waves}${bubbles}${body}${rivets}`;
}

/** A small robot waters a seed, and what grows from it in the end is taller than the robot. */
function garden(time: number): string {
  const tall = 4 + 54 * time;
  const top = 84 - tall;
  const leaves = Array.from({ length: Math.floor(1 + time * 7) }, (_, index) => {
    const y = 82 - index * 7;
    const side = index % 2 === 0 ? 1 : -1;
    return `<path d="M66 ${y}q${side * 9} -8 ${side * 15} -1q${-side * 6} 6 ${-side * 15} 1z" fill="#4c9f70"/>`;
  }).join("");
  const petals = Array.from({ length: 8 }, (_, index) => {
    const turn = (index * Math.PI) / 4;
    const far = 7 * Math.max(0, time - 0.6) * 2.5;
    return circle([66 + Math.cos(turn) * far, top + Math.sin(turn) * far, far * 0.55], "#f25c54");
  }).join("");
  const plant = `<path d="M66 84V${top}" stroke="#2f6d4a" stroke-width="2"/>${leaves}${petals}${circle([66, top, 1 + time * 3], "#ffd166")}`;
  const tilt = Math.sin(time * 60) * 8;
  const robot =
    `<g transform="rotate(${tilt.toFixed(1)} 30 70)"><rect x="22" y="60" width="18" height="16" rx="3" fill="#7d8ca3"/>` +
    `<rect x="24" y="46" width="14" height="12" rx="3" fill="#9fb0c7"/>${circle([28.5, 52, 2], "#fff")}${circle([34, 52, 2], "#fff")}` +
    `<path d="M31 46v-5" stroke="#5b6880"/>${circle([31, 40, 1.4], "#f25c54")}<path d="M40 66l10 -3l3 4l-9 4z" fill="#d98c5f"/></g>` +
    `<rect x="24" y="76" width="5" height="9" fill="#5b6880"/><rect x="33" y="76" width="5" height="9" fill="#5b6880"/>`;
  const drops = [0, 1, 2]
    .map((drop) => circle([56 + drop * 3, 70 + ((time * 90 + drop * 5) % 12), 0.9], "#3f88c5"))
    .join("");
  const ground = `<rect width="100" height="100" fill="#fbe8c8"/>${circle([16, 18, 9], "#f7b267")}<path d="M0 84h100v16h-100z" fill="#8a5a44"/>`;
  return ground + plant + robot + drops;
}

/** The comics of the sample library. */
export const stories: readonly Story[] = [
  {
    title: "Moth and Moon",
    summary: "A moth sees a light that is not a lamp. A comic without words.",
    issues: 3,
    colours: { sky: "#12243d", ink: "#ffe9a8" },
    scene: moth,
  },
  {
    title: "Tin Whale",
    summary: "A whale of tin follows the sun. A comic without words.",
    issues: 2,
    colours: { sky: "#175a75", ink: "#fff3c9" },
    scene: whale,
  },
  {
    title: "Robot Garden",
    summary: "A small robot has a can of water and a seed. A comic without words.",
    issues: 3,
    colours: { sky: "#8a5a44", ink: "#fbe8c8" },
    scene: garden,
  },
];
