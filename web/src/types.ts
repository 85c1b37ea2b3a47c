// What the engine says, as `web/engine` writes it.

export interface Place { line: number; column: number; from: number; to: number }

export interface Finding {
  level: 'error' | 'warning' | 'note';
  name: string | null;
  message: string;
  help: string | null;
  place: Place;
  note: { place: Place; message: string } | null;
}

export interface Named { name: string; ascii: string; doc?: string }

export interface Parameter extends Named { default: string | null; bound: string }

export interface Printed { text: string; latex: string }

export interface Line { name?: string; left?: Printed; right?: Printed; note?: Printed }

export interface Section { title: string; lines: Line[] }

export interface Claim {
  name: string; equation: string; doc: string; verdict: 'follows' | 'erratum';
  printed: string; corrected: string; difference: string; when: string; closed: string;
}

/** What is claimed of whole motions. */
export interface Sentence { name: string; equation: string; doc: string; printed: string }

export interface Scenario {
  name: string; doc: string; solved: string[];
  t?: number; q?: number[]; v?: number[]; u?: number[];
  until?: number | null; impacts?: number | null;
  refusal?: Refusal;
}

export interface Sheet {
  name: string; doc: string; document: string;
  declared: {
    coordinates: Named[]; positions: Named[]; parameters: Parameter[]; inputs: Named[]; outputs: Named[];
    functions: (Named & { arguments: string[]; default: string | null })[];
    contacts: Named[]; events: Named[];
  };
  speeds: (Named & { unit: string })[];
  values: (number | null)[];
  numbers: Named[];
  /** The equations and claims, once they have come. */
  sections: Section[];
  claims: Claim[];
  sentences: Sentence[];
  scenarios: Scenario[];
}

export interface Refusal { message: string; help: string | null }

export interface Happening {
  t: number; kind: string; names: string[]; impulses: { name: string; impulse: number | null }[];
  q: number[]; v: number[]; q_plus: number[]; v_plus: number[];
}

/** What is no number, as of a motion that leaves all bounds, is null. */
export interface Ledger {
  start: number | null; end: number | null; error: number | null; tolerance: number | null; closes: boolean;
  works: { of: string; work: number | null }[];
  jumps: { of: string; count: number; change: number | null }[];
  drifts: { of: string; residual: number; t: number }[];
}

export interface Tale {
  values: (number | null)[];
  start: { t: number; q: number[]; v: number[]; u: number[] };
  end: { text: string; help: string | null; complete: boolean; t: number };
  rest: number | null;
  /** Whether it turns faster than it is sampled. */
  coarse: boolean;
  events: Happening[]; event_count: number; impact_count: number;
  ledger: Ledger | null;
  guards: string; sampled: string[]; forces: string; steps: number; rejected: number; evaluations: number;
}

export interface Asked {
  scenario?: string; values?: Record<string, number | string>; until?: number; impacts?: number;
  method?: string; samples?: number; budget?: number;
}

/** What draws a motion at any time; `scene.js` reads the rest of it. */
export interface Film { dimension: 2 | 3; box: [number, number][]; shapes: { kind: string; label: string }[] }

/** A run: its tale, what draws it, and columns of numbers by their place in `Sheet.numbers`. */
export interface Made { tale: Tale; film: Film | null; length: number; columns: Map<number, Float64Array> }

/** What is given away: `eom generate` in a language, or the page of a run. */
export interface Writing { format: string; text: string; file: string; asked: Asked }

/** What a worker is told and answers. */
export type Request =
  | { id: number; kind: 'read'; text: string }
  | { id: number; kind: 'run'; asked: Asked; columns: number[] }
  | { id: number; kind: 'columns'; columns: number[] }
  | { id: number; kind: 'equations' }
  | { id: number; kind: 'write' } & Writing;

export type Answer =
  | { id: number; kind: 'ready'; bytes: number }
  | { id: number; kind: 'read'; sheet: Omit<Sheet, 'sections' | 'claims'> | null; findings: Finding[]; bytes: number }
  | { id: number; kind: 'run'; tale: Tale; film: Film | null; length: number; columns: [number, Float64Array][]; bytes: number }
  | { id: number; kind: 'refused'; refusal: Refusal; bytes: number }
  | { id: number; kind: 'columns'; columns: [number, Float64Array][]; bytes: number }
  | { id: number; kind: 'equations'; sections: Section[]; claims: Claim[]; bytes: number }
  | { id: number; kind: 'write'; text: string; bytes: number }
  | { id: number; kind: 'broken'; message: string };
