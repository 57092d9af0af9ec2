// Speech, a sound and notices of the page, each only where the browser has it.

/** Says the words at once, in place of what is being said. */
export function speak(words: string): void {
  if (!("speechSynthesis" in window)) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = "en-US";
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(utterance);
}

const tones = [
  { hertz: 660, startS: 0 },
  { hertz: 880, startS: 0.18 },
];
const toneS = 0.16;

/** Plays two short rising tones. */
export function playSound(): void {
  if (!("AudioContext" in window)) return;
  const audio = new AudioContext();
  // A page that was never pressed may not be allowed to sound.
  void audio.resume();
  const last = tones.map(({ hertz, startS }) => {
    const at = audio.currentTime + startS;
    const gain = audio.createGain();
    gain.gain.setValueAtTime(0.15, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + toneS);
    gain.connect(audio.destination);
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(at);
    tone.stop(at + toneS);
    return tone;
  });
  last.at(-1)!.onended = () => void audio.close();
}

/** Asks the person for notices of the browser; must follow a press. Returns true if they are allowed. */
export async function allowNotices(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

export function showNotice(title: string, body: string): void {
  if ("Notification" in window && Notification.permission === "granted") new Notification(title, { body });
}
