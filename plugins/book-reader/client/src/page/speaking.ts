import type { EngineFrame } from "./engine-frame.js";

/** Reads the book aloud with the browser's voices, sentence by sentence; the engine marks the sentence. */
export class Speaking {
  #run = 0;
  rate = 1;
  voice = "";
  state: "off" | "speaking" | "paused" = "off";

  constructor(
    private readonly engine: EngineFrame,
    private readonly changed: () => void,
  ) {}

  static get available(): boolean {
    return "speechSynthesis" in globalThis;
  }

  toggle(): void {
    if (this.state === "speaking") this.#stop("paused");
    else void this.#speak(this.state === "paused" ? "same" : "here");
  }

  skip(to: "after" | "before"): void {
    if (this.state !== "off") void this.#speak(to);
  }

  end(): void {
    this.#stop("off");
    void this.engine.call("endSpeech");
  }

  /** With another rate or voice, from the sentence that is being spoken. */
  again(): void {
    if (this.state === "speaking") void this.#speak("same");
  }

  async #speak(from: "here" | "after" | "before" | "same"): Promise<void> {
    const run = ++this.#run;
    speechSynthesis.cancel();
    this.#become("speaking");
    for (let next = from; run === this.#run; next = "after") {
      const sentence = await this.engine.call("nextSentence", next);
      if (run !== this.#run) return;
      if (sentence === undefined) return this.end();
      await this.#say(sentence.text, sentence.language);
    }
  }

  #say(text: string, language: string): Promise<void> {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    utterance.rate = this.rate;
    const voice = speechSynthesis.getVoices().find(({ name }) => name === this.voice);
    if (voice) utterance.voice = voice;
    return new Promise((resolve) => {
      utterance.addEventListener("end", () => resolve());
      utterance.addEventListener("error", () => resolve());
      speechSynthesis.speak(utterance);
    });
  }

  #stop(state: "off" | "paused"): void {
    this.#run++;
    if (Speaking.available) speechSynthesis.cancel();
    this.#become(state);
  }

  #become(state: Speaking["state"]): void {
    this.state = state;
    this.changed();
  }
}
