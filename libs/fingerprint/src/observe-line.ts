import { isObject, parsedJson } from './json.ts';
import { lookAtPage, type PageLook } from './observe-store.ts';
import { readUrl } from './read-url.ts';
import type { PageInput } from './types.ts';

/**
 * Reads one line of the `observe` command, the JSON `{url, status, headers, body}`, and writes JSON. `status`, `headers` and `cookies` are
 * optional. An invalid line throws an Error with a message for its author.
 */
function headersOf(value: unknown): Record<string, string | string[]> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new Error('headers must be an object of strings');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, Array.isArray(member) ? member.map(String) : String(member)]),
  );
}

function readLine(line: string): PageInput {
  const value = parsedJson(line);
  if (value === undefined) throw new Error('not a line of JSON');
  if (!isObject(value)) throw new Error('a line must be a JSON object');
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

/** Returns the observation of a page with the names of the public contract, or the reason why the page is not observed. */
export function writeLook(url: string | null, { seen, failure }: PageLook): Record<string, unknown> {
  if (!seen) return { url, error: { code: failure.code, message: failure.message } };
  const { platform, technologies, name, nameBasis, geography, industry, catalog, status } = seen;
  return {
    url,
    platform,
    technologies: technologies.map(({ installState, sources: _, ...technology }) => ({
      ...technology,
      install_state: installState,
    })),
    name,
    name_basis: nameBasis,
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

/** The result of one line. `ok` is false if the line could not be read. */
export interface LineResult {
  ok: boolean;
  /** JSON without a line break. */
  text: string;
}

/** Converts one line to one output line. Never throws. `number` counts from 1. */
export function observeLine(line: string, number: number): LineResult {
  try {
    const page = readLine(line);
    return { ok: true, text: JSON.stringify(writeLook(page.url || null, lookAtPage(page))) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      text: JSON.stringify({ url: urlOf(line), error: { code: 'invalid_line', message }, line: number }),
    };
  }
}

/** Returns the URL of a line that is invalid in another way; null if it has none. */
function urlOf(line: string): string | null {
  try {
    const value = parsedJson(line);
    return isObject(value) ? readUrl(value.url) : null;
  } catch {
    return null;
  }
}
