import { observeStore } from './observe-store.ts';
import type { PageInput, StoreObservation } from './types.ts';

/**
 * One line of the `observe` command: JSON `{url, status, headers, body}` in, JSON out. `status` and `headers` may be
 * absent; cookies may stand beside them. Throws an Error whose message is fit for the person who wrote the line.
 */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function headersOf(value: unknown): Record<string, string | string[]> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new Error('headers must be an object of strings');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, Array.isArray(member) ? member.map(String) : String(member)]),
  );
}

/** A saved page whose address was lost can still be observed: null and absent are allowed, other values must be addresses. */
export function readUrl(url: unknown): string | null {
  if (url === undefined || url === null) return null;
  const isWeb = typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
  if (!isWeb) throw new Error('url must be an http or https address');
  return url;
}

export function readLine(line: string): PageInput {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('not a line of JSON');
  }
  if (!isRecord(value)) throw new Error('a line must be a JSON object');
  const { url, status = 200, headers, body, cookies } = value;
  const address = readUrl(url);
  if (typeof status !== 'number' || !Number.isInteger(status)) throw new Error('status must be an integer');
  if (typeof body !== 'string') throw new Error('body must be a string');
  return {
    url: address ?? '',
    status,
    headers: headersOf(headers),
    html: body,
    ...(Array.isArray(cookies) && { cookies: cookies.map(String) }),
  };
}

/** The observation under the names of the public contract. */
export function writeObservation(url: string | null, observation: StoreObservation): Record<string, unknown> {
  const { platform, technologies, name, geography, industry, catalog, status } = observation;
  return {
    url,
    platform,
    technologies: technologies.map(({ installState, ...technology }) => ({
      ...technology,
      install_state: installState,
    })),
    name,
    geography,
    industry,
    catalog: {
      product_count: catalog.productCount,
      available_count: catalog.availableCount,
      coverage: catalog.coverage,
      currency: catalog.currency,
      price_range: { median: catalog.priceRange.median, p25: catalog.priceRange.p25, p75: catalog.priceRange.p75 },
    },
    status,
  };
}

/** The answer to one line; `ok` is false when the line could not be observed. */
export interface LineAnswer {
  ok: boolean;
  /** JSON without a line break. */
  text: string;
}

/** Answers a line with a line, whatever it holds; `number` counts from 1. */
export function observeLine(line: string, number: number): LineAnswer {
  try {
    const page = readLine(line);
    return { ok: true, text: JSON.stringify(writeObservation(page.url || null, observeStore(page))) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, text: JSON.stringify({ error: message, line: number }) };
  }
}
