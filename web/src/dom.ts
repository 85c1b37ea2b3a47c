// Elements of the page in one line each.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element: attributes, `on…` as listeners, children as elements or text. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** The element of this id. */
export function by<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** A number for people: four digits more than a glance needs. One that is none comes as null. */
export function shown(value: number | null, digits = 6): string {
  if (value === null || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size < 1e-4 || size >= 1e7 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1').replaceAll('-', '−');
}

/** The digits by which numbers up to a size are told apart where they are a distance from each other. */
export function digitsOf(size: number, apart: number, least: number): number {
  const found = Math.ceil(Math.log10(size / apart) + 1e-9) + 1;
  return found > least ? Math.min(found, 17) : least;
}
