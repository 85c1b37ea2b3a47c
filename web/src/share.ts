// A declaration with what is set, in the fragment of the address: no server sees it.

export interface Shared {
  text: string; scenario?: string; values?: Record<string, number | string>; until?: string; method?: string;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as ReadableStream).arrayBuffer());
}

/** The fragment, without `#`. */
export async function packed(shared: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return 'eom=' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What a fragment holds; nothing where it is not one of ours, or damaged. */
export async function unpacked(fragment: string): Promise<Shared | null> {
  const found = fragment.match(/eom=([A-Za-z0-9_-]+)/);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
    const shared = read as Shared;
    return typeof shared?.text === 'string' ? shared : null;
  } catch {
    return null;
  }
}
