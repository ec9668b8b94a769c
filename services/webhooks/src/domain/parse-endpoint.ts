import { invalidField } from '@shopscope/errors';
import { type WorkspaceEventType, workspaceEventTypes } from '@shopscope/proto';
import { isId, parseText } from '@shopscope/text';
import type { Header } from './endpoint.ts';

const maxWatchlists = 100;
const maxHeaders = 10;
const maxHeaderLength = 1_024;
const maxPerMinuteBound = 6_000;
const maxDescriptionLength = 500;

export function parseEventTypes(given: readonly string[]): WorkspaceEventType[] {
  if (given.length === 0) throw invalidField('event_types', 'must have at least 1 entry');
  const types = given.map((type, index) => {
    const known = workspaceEventTypes.find((each) => each === type);
    if (!known) throw invalidField(`event_types[${index}]`, 'must be a type of event');
    return known;
  });
  return [...new Set(types)];
}

export const parseDescription = (given: string): string =>
  parseText('description', given, {
    noun: 'description',
    maxLength: maxDescriptionLength,
    mayBeEmpty: true,
    mayHaveAddresses: true,
  });

export function parseWatchlistIds(given: readonly string[]): string[] {
  if (given.length > maxWatchlists) throw invalidField('watchlist_ids', `must have at most ${maxWatchlists} entries`);
  for (const [index, id] of given.entries()) {
    if (!isId(id, 'wl')) throw invalidField(`watchlist_ids[${index}]`, 'must be an id that begins with wl_');
  }
  return [...new Set(given)];
}

/** Undefined is no bound. */
export function parseMaxPerMinute(given: number | undefined): number | null {
  if (given === undefined) return null;
  if (given >= 1 && given <= maxPerMinuteBound) return given;
  throw invalidField('max_per_minute', `must be from 1 to ${maxPerMinuteBound}`);
}

/** Names that decide the form of the request, the signature or the connection. */
const reservedNames = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const reservedPrefix = /^(content-|webhook-)/;
/** A token of RFC 9110. */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;
/** Visible ASCII, and spaces or tabs inside. No line break can begin another header. */
const headerValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns the headers with names in lower case. */
export function parseHeaders(given: readonly Header[]): Header[] {
  if (given.length > maxHeaders) throw invalidField('headers', `must have at most ${maxHeaders} entries`);
  const headers = given.map(({ name: sent, value }) => {
    const name = sent.toLowerCase();
    const field = `headers.${headerName.test(name) ? name : '?'}`;
    if (!headerName.test(name)) throw invalidField('headers', 'must have names of HTTP headers');
    if (reservedNames.has(name) || reservedPrefix.test(name)) throw invalidField(field, 'is set by the service');
    if (value.length > maxHeaderLength || !headerValue.test(value)) {
      throw invalidField(field, `must have 1 to ${maxHeaderLength} visible ASCII characters`);
    }
    return { name, value };
  });
  if (new Set(headers.map(({ name }) => name)).size < headers.length) {
    throw invalidField('headers', 'must not repeat a name');
  }
  return headers;
}
