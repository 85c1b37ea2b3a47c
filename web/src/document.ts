// The file of `eom studio`: saved as it is edited, read again when it changes elsewhere.

/** Milliseconds between two looks at the file, and of quiet after which it is saved. */
const LOOK = 1000;
const QUIET = 400;

/** A page that closes sends no more than this many letters, each of up to three bytes. */
const LONG = 20_000;

/** Whether the page is that of `eom studio`, whose machine derives and runs. */
export const isStudio = 'studio' in document.documentElement.dataset;

export class FileOnDisk {
  /** As the disk has it, as far as we know. */
  private known = '';
  /** What is to be saved. */
  private waiting: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isUnread = false;

  private constructor(private readonly changed: (text: string) => void, private readonly say: (text: string) => void) {
    // What was typed last is saved, too; a long text is asked for, since a page that closes sends no more.
    window.addEventListener('pagehide', () => {
      if (this.waiting !== null && !this.isUnread) void fetch('document', { method: 'PUT', body: this.waiting, keepalive: true });
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.waiting !== null && (this.isUnread || this.waiting.length > LONG)) event.preventDefault();
    });
  }

  /** The name of the file, where `eom studio` has one. */
  static get name(): string | undefined {
    return document.documentElement.dataset.document;
  }

  /** Opens the file: `changed` is told its text, now and whenever another program changes it. */
  static async open(changed: (text: string) => void, say: (text: string) => void): Promise<FileOnDisk> {
    const file = new FileOnDisk(changed, say);
    await file.look();
    setInterval(() => void file.look(), LOOK);
    return file;
  }

  /** The editor has another text. */
  edited(text: string): void {
    clearTimeout(this.timer);
    [this.timer, this.waiting] = [undefined, null];
    if (text === this.known) return;
    this.waiting = text;
    this.timer = setTimeout(() => void this.save(text), QUIET);
  }

  private async save(text: string): Promise<void> {
    this.timer = undefined;
    // Another program may have written it since: that is not written over.
    if (await this.look()) return;
    if (this.isUnread || this.waiting !== text) return;
    try {
      const answer = await fetch('document', { method: 'PUT', body: text });
      if (!answer.ok) throw new Error(await answer.text());
      this.known = text;
      this.say('');
      if (this.waiting === text) this.waiting = null;
    } catch (error) {
      this.say(`not saved: ${error}`);
    }
  }

  /** Whether another program has changed the file: its text is shown then. */
  private async look(): Promise<boolean> {
    // What is being edited here comes first.
    if (this.timer !== undefined) return false;
    try {
      const answer = await fetch('document');
      if (!answer.ok) throw new Error(await answer.text());
      const text = await answer.text();
      if (this.isUnread) this.say('');
      this.isUnread = false;
      if (text === this.known || this.timer !== undefined) return false;
      const lost = this.waiting !== null && this.waiting !== text;
      [this.known, this.waiting] = [text, null];
      this.changed(text);
      if (lost) this.say('another program has changed the file: its text is shown, undo brings back your own');
      return true;
    } catch (error) {
      this.isUnread = true;
      this.say(`the file cannot be read, and nothing is saved: ${error}`);
      return false;
    }
  }
}
