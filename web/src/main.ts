// The page: the text is read as it changes, its equations and its motion follow.
import { FileOnDisk } from './document';
import { by, el } from './dom';
import { Editor } from './editor';
import { Engine, type Outcome } from './engine';
import { FORMATS, give } from './give';
import { Player } from './player';
import { keepOwn, ownText } from './own';
import { packed, type Shared, unpacked } from './share';
import { Sliders } from './sliders';
import { showEvents, showTale } from './tale';
import type { Asked, Finding, Refusal, Sheet } from './types';
import { View } from './view';

/** Milliseconds of quiet after which a changed text is read. */
const QUIET = 120;

/** Milliseconds after which it is said that a run is being made: what is shown is of another. */
const PATIENCE = 300;

/** The samples of a run at even times, more of one that turns faster. */
const SAMPLES = 1500;

type Gallery = { group: string; name: string; title: string }[];

/** The text of a model. */
async function textOf(name: string): Promise<Shared | null> {
  const answer = await fetch(`models/${name}.eom`).catch(() => null);
  return answer?.ok ? { text: await answer.text() } : null;
}

const say = (text: string, isBad = false) => {
  by('status').textContent = text;
  by('status').classList.toggle('bad', isBad);
};

class Page {
  private sheet: Sheet | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly engine = new Engine();
  private readonly view = new View(() => this.look());
  private readonly player = new Player((t) => this.view.show(t));
  private readonly sliders = new Sliders(() => this.run());
  private readonly editor = new Editor(by('editor'), (text) => this.changed(text));
  private readonly scenario = by<HTMLSelectElement>('scenario');
  private readonly until = by<HTMLInputElement>('until');
  private readonly method = by<HTMLSelectElement>('method');
  private file: FileOnDisk | null = null;
  private gallery: Gallery = [];
  /** The text of the model that was opened last. */
  private model = '';
  /** How many texts were asked for or written. */
  private opening = 0;
  private wantedScenario: string | undefined;
  /** Whether the text has mistakes: what is shown is of it as it was before. */
  private isWrong = false;

  async open(): Promise<void> {
    this.scenario.addEventListener('change', () => this.chose());
    for (const input of [this.until, this.method]) input.addEventListener('change', () => this.run());
    by('share').addEventListener('click', () => this.share());
    by('download').addEventListener('click', () => void this.download());
    by('format').append(...Object.entries(FORMATS).map(([value, { what }]) => el('option', { value }, what)));
    by('theme').addEventListener('click', () => this.turn());
    // Back and Forward, and a fragment that is set: two texts of one's own may have one address.
    window.addEventListener('popstate', () => this.follow());
    this.gallery = await (await fetch('models.json')).json();
    const select = by<HTMLSelectElement>('gallery');
    for (const group of new Set(this.gallery.map(({ group }) => group))) {
      const models = this.gallery.filter((model) => model.group === group);
      select.append(el('optgroup', { label: group }, ...models.map(({ name, title }) => el('option', { value: name }, `${name}: ${title}`))));
    }
    select.addEventListener('change', () => (location.hash = `model=${select.value}`));
    if (FileOnDisk.name) {
      by('file').textContent = FileOnDisk.name;
      this.file = await FileOnDisk.open((text) => (this.editor.text = text), (text) => (by('of-file').textContent = text));
    } else if (!location.hash && !ownText()) location.hash = 'model=penny';
    else await this.follow();
  }

  /** Opens what the fragment names. */
  private async follow(): Promise<void> {
    // A model would be saved over the file.
    if (FileOnDisk.name) return;
    const { hash } = location;
    const own = ownText();
    const model = own ? undefined : this.gallery.find(({ name }) => hash === `#model=${name}`);
    const opening = ++this.opening;
    const shared: Shared | null = own ?? (model ? await textOf(model.name) : await unpacked(hash));
    // While it came another one was asked for, or something was written.
    if (opening !== this.opening) return;
    if (!shared) {
      if (model) return say(`nothing is opened: ${model.name} cannot be loaded`, true);
      const what = hash.startsWith('#model=') ? 'there is no model of this name' : 'the link is damaged';
      // What is shown is not what was sent.
      if (hash) say(`nothing is opened: ${what}`, true);
      return;
    }
    by<HTMLSelectElement>('gallery').value = model?.name ?? '';
    if (model) this.model = shared.text;
    this.sliders.values = shared.values ?? {};
    this.wantedScenario = shared.scenario;
    this.until.value = shared.until ?? '';
    const methods = [...this.method.options].map(({ value }) => value);
    this.method.value = shared.method && methods.includes(shared.method) ? shared.method : methods[0];
    this.sheet = null;
    this.player.pause();
    const isSame = this.editor.text === shared.text;
    this.editor.text = shared.text;
    // What does not change is not told.
    if (isSame) this.changed(shared.text);
    this.editor.top(shared.text.search(/^(\/\/\/.*\n)*system /m));
  }

  private changed(text: string): void {
    this.opening += 1;
    this.file?.edited(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), QUIET);
    const select = by<HTMLSelectElement>('gallery');
    if (select.value && text === this.model) return;
    // It is the model no more, which can be opened again.
    select.value = '';
    this.keep();
    say('reading …');
  }

  /** What is set, with the text. */
  private shared(): Shared {
    const shared: Shared = { text: this.editor.text, values: this.sliders.values, method: this.method.value };
    const scenario = this.wantedScenario ?? this.scenario.value;
    if (scenario) shared.scenario = scenario;
    if (this.until.value) shared.until = this.until.value;
    return shared;
  }

  /** Keeps a text that is no model's, which could be opened again. */
  private keep(): void {
    if (FileOnDisk.name || by<HTMLSelectElement>('gallery').value) return;
    const { pathname, search, hash } = location;
    keepOwn(this.shared(), pathname + search + (hash.startsWith('#model=') ? '' : hash));
  }

  private async read(): Promise<void> {
    const outcome = await this.engine.read(this.editor.text);
    if (outcome.kind !== 'read') return this.failed(outcome);
    this.editor.mark(outcome.findings);
    this.tell(outcome.findings);
    // What is shown is of the text as it was when it was right.
    by('results').classList.toggle('stale', !outcome.sheet);
    this.isWrong = !outcome.sheet;
    if (!outcome.sheet) return;
    const { sheet } = outcome;
    this.sheet = sheet;
    this.editor.know(sheet);
    this.view.know(sheet);
    document.title = `${sheet.name} – eom`;
    by('name').textContent = sheet.name;
    by('doc').textContent = sheet.doc;
    const kept = this.wantedScenario ?? this.scenario.value;
    this.wantedScenario = undefined;
    this.scenario.replaceChildren(...sheet.scenarios.map(({ name }) => el('option', { value: name }, name)));
    if (sheet.scenarios.some(({ name }) => name === kept)) this.scenario.value = kept;
    this.sliders.load(sheet, this.chosen());
    this.run();
    const equations = this.engine.equations();
    const { showClaims, showEquations } = await import('./sheet');
    const printed = await equations;
    if (printed.kind !== 'equations') return this.failed(printed);
    Object.assign(sheet, { sections: printed.sections, claims: printed.claims });
    showClaims(by('claims'), sheet);
    void showEquations(by('equations'), sheet);
  }

  private chosen() {
    return this.sheet?.scenarios.find(({ name }) => name === this.scenario.value);
  }

  private chose(): void {
    this.until.value = '';
    if (this.sheet) this.sliders.load(this.sheet, this.chosen());
    this.run();
  }

  private tell(findings: Finding[]): void {
    const errors = findings.filter(({ level }) => level === 'error').length;
    by('findings').replaceChildren(...findings.map(({ level, message, help, place }) => el(
      'li', { class: level },
      el('button', { class: 'link', onclick: () => this.editor.go(place.from) }, `${place.line}:${place.column}`),
      ` ${message}`, help ? el('div', { class: 'dim' }, help) : '',
    )));
    say(errors ? `${errors} ${errors === 1 ? 'mistake' : 'mistakes'}` : 'the declaration is right', errors > 0);
  }

  /** What is asked of a run. */
  private asked(): Asked {
    const until = this.until.value.trim();
    const asked: Asked = { values: { ...this.sliders.values }, samples: SAMPLES, method: this.method.value };
    if (this.scenario.value) asked.scenario = this.scenario.value;
    // An end before the start is refused, and said.
    if (until !== '' && Number.isFinite(Number(until))) asked.until = Number(until);
    else if (this.sheet?.scenarios.length === 0) asked.until = 10;
    return asked;
  }

  private async run(): Promise<void> {
    if (!this.sheet) return;
    this.keep();
    const asked = this.asked();
    const declared = this.chosen()?.until;
    this.until.placeholder = declared ? String(declared) : 'as declared';
    const late = setTimeout(() => {
      by('results').classList.add('stale');
      if (!this.isWrong) say('running …');
    }, PATIENCE);
    const outcome = await this.engine.run(asked, this.view.columns());
    clearTimeout(late);
    if (outcome.kind !== 'run') return this.failed(outcome);
    by('results').classList.toggle('stale', this.isWrong);
    const { made } = outcome;
    this.view.load(made);
    const { tale } = made;
    this.sliders.refresh(tale.values);
    const times = [...new Set(tale.events.map(({ t }) => t))];
    this.player.load(tale.start.t, tale.end.t, times);
    showTale(by('tale'), tale);
    showEvents(by('events'), tale, (t) => {
      this.player.pause();
      this.player.go(t);
    });
    const coarse = `; it turns faster than it is sampled: pictures show ${made.length} states of it, and nothing of what is between them`;
    // What is wrong with the text stays said.
    if (!this.isWrong) say(tale.end.text + (tale.coarse ? coarse : ''), !tale.end.complete);
    by('motion').dataset.end = tale.end.text;
  }

  private async look(): Promise<void> {
    const missing = this.view.missing();
    if (missing.length) {
      const outcome = await this.engine.columns(missing);
      if (outcome.kind === 'columns') this.view.add(outcome.columns);
    } else this.view.show(this.player.t);
  }

  private failed(outcome: Outcome): void {
    const words = (refusal: Refusal) => [refusal.message, refusal.help].filter(Boolean).join('; ');
    if (outcome.kind === 'refused') {
      say(words(outcome.refusal), true);
      // What is shown is of another run.
      by('results').classList.add('stale');
    }
    if (outcome.kind === 'ended') say(`stopped: ${outcome.what}. The engine has been started anew.`, true);
  }

  private async share(): Promise<void> {
    history.replaceState(null, '', '#' + (await packed(this.shared())));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(copied ? 'the link is in the clipboard' : 'the link is in the address bar');
  }

  private async download(): Promise<void> {
    const format = by<HTMLSelectElement>('format').value;
    const name = this.sheet?.name ?? 'system';
    say('writing …');
    await give(format, name, this.editor.text, this.asked()).then(
      () => say(`${name}.${FORMATS[format].ending} is written`),
      (error) => say(`not written: ${error}`, true),
    );
  }

  private turn(): void {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    this.view.repaint();
  }
}

void new Page().open();
