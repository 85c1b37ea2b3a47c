// The file of `eom studio`: saved as it is edited, read again when it changes elsewhere.

/** Milliseconds between two looks at the file, and of quiet after which it is saved. */
const LOOK = 1000;
const QUIET = 400;

/** Whether the page is that of `eom studio`, whose machine derives and runs. */
export const isStudio = 'studio' in document.documentElement.dataset;

export class FileOnDisk {
  /** As the disk has it, as far as we know. */
  private known = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(private readonly changed: (text: string) => void, private readonly say: (text: string, isBad?: boolean) => void) {}

  /** The name of the file, where `eom studio` has one. */
  static get name(): string | undefined {
    return document.documentElement.dataset.document;
  }

  /** Opens the file: `changed` is told its text, now and whenever another program changes it. */
  static async open(changed: (text: string) => void, say: (text: string, isBad?: boolean) => void): Promise<FileOnDisk> {
    const file = new FileOnDisk(changed, say);
    await file.look();
    setInterval(() => void file.look(), LOOK);
    return file;
  }

  /** The editor has another text. */
  edited(text: string): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (text === this.known) return;
    this.timer = setTimeout(() => void this.save(text), QUIET);
  }

  private async save(text: string): Promise<void> {
    this.timer = undefined;
    try {
      const answer = await fetch('document', { method: 'PUT', body: text });
      if (!answer.ok) throw new Error(await answer.text());
      this.known = text;
    } catch (error) {
      this.say(`not saved: ${error}`, true);
    }
  }

  private async look(): Promise<void> {
    // What is being edited here is saved first.
    if (this.timer !== undefined) return;
    try {
      const answer = await fetch('document');
      if (!answer.ok) throw new Error(await answer.text());
      const text = await answer.text();
      if (text === this.known || this.timer !== undefined) return;
      this.known = text;
      this.changed(text);
    } catch (error) {
      this.say(`the file cannot be read: ${error}`, true);
    }
  }
}
