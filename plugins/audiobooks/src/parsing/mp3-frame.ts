/** The four bytes before each frame of MPEG sound. */
export interface FrameHeader {
  /** In a second. */
  readonly bitRate: number;
  readonly sampleRate: number;
  /** In the frame. */
  readonly samples: number;
  /** Of the whole frame. */
  readonly bytes: number;
  /** Between the header and the place of a Xing header. */
  readonly sideBytes: number;
}

const newRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const oldRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** Undefined for bytes that begin no frame of layer III. */
export function frameHeader(bytes: Uint8Array): FrameHeader | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const rate = (version === 3 ? newRates : oldRates)[third >> 4];
  const base = sampleRates[(third >> 2) & 3];
  if (version === 1 || !rate || base === undefined) return undefined;
  const sampleRate = version === 3 ? base : base / (version === 2 ? 2 : 4);
  const samples = version === 3 ? 1152 : 576;
  const isMono = fourth >> 6 === 3;
  return {
    bitRate: rate * 1000,
    sampleRate,
    samples,
    bytes: Math.floor((samples * 125 * rate) / sampleRate) + ((third >> 1) & 1),
    sideBytes: version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}
