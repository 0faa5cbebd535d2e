/** Quieter than this is silence: a share of the loudest possible sound. */
const quietest = 0.008;
/** A silence is skipped once it has lasted so long, so that pauses between sentences remain. */
const leastMs = 350;
const everyMs = 40;
const speedUp = 4;
/** Browsers play no faster. */
const fastest = 16;

/** Plays silences faster. The sound goes through Web Audio from the first use on. */
export class SilenceSkipper {
  #context: AudioContext | undefined;
  #analyser: AnalyserNode | undefined;
  #samples = new Float32Array(1024);
  #timer: ReturnType<typeof setInterval> | undefined;
  #quietMs = 0;

  /** @param rate - the speed that the listener chose */
  constructor(
    private readonly audio: HTMLAudioElement,
    private readonly rate: () => number,
  ) {}

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** @returns whether this browser can do it */
  start(): boolean {
    if (this.#timer !== undefined) return true;
    if (!this.#connect()) return false;
    void this.#context?.resume();
    this.#timer = setInterval(() => this.#look(), everyMs);
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#quietMs = 0;
    this.audio.playbackRate = this.rate();
  }

  /** Browsers start no sound before the listener does something. */
  resume(): void {
    void this.#context?.resume();
  }

  #connect(): boolean {
    if (this.#analyser) return true;
    if (typeof AudioContext === "undefined") return false;
    this.#context = new AudioContext();
    this.#analyser = this.#context.createAnalyser();
    this.#analyser.fftSize = this.#samples.length;
    this.#context.createMediaElementSource(this.audio).connect(this.#analyser).connect(this.#context.destination);
    return true;
  }

  #look(): void {
    if (this.audio.paused || !this.#analyser) return;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const loudest = this.#samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    this.#quietMs = loudest < quietest ? this.#quietMs + everyMs : 0;
    const rate = this.#quietMs >= leastMs ? Math.min(fastest, this.rate() * speedUp) : this.rate();
    if (this.audio.playbackRate !== rate) this.audio.playbackRate = rate;
  }
}
