// A text of one's own, beside the entry of the history at which it is written: Back, Forward and a reload open it again.
import type { Shared } from './share';

/** What the present entry calls it. */
const name = () => (history.state as { own?: string } | null)?.own;

/** Keeps it at the present entry, which then has this address. */
export function keepOwn(shared: Shared, address: string): void {
  const own = name() ?? `own-${Date.now()}-${Math.random()}`;
  // Browsers count how often the history is changed.
  const { pathname, search, hash } = location;
  if (own !== name() || address !== pathname + search + hash) history.replaceState({ own }, '', address);
  try {
    sessionStorage.setItem(own, JSON.stringify(shared));
  } catch {
    // There is no room, or none is allowed: Back then opens nothing.
  }
}

/** What was kept at the present entry. */
export function ownText(): Shared | null {
  try {
    return JSON.parse(sessionStorage.getItem(name() ?? '') ?? 'null') as Shared | null;
  } catch {
    return null;
  }
}
