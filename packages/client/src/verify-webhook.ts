import { WebhookVerificationError } from './errors.ts';
import type { Event } from './events.ts';
import {
  fromBase64,
  importSecrets,
  isSignatureOf,
  signedContent,
  type WebhookBody,
  type WebhookOptions,
  webhookHeaders,
} from './webhook-signature.ts';

/** The headers of a request: those of Node.js, a `Headers`, or pairs. Names may have any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a webhook says. A later release may add types and members. */
export interface WebhookEvent {
  /** The id of the event, from the header webhook-id. Retries and replays have the same one: handle each id once. */
  readonly id: string;
  readonly type: Event['type'];
  /** When the event was made (ISO 8601). */
  readonly timestamp: string;
  readonly data: Event['data'];
  /** The place in the sequence of the workspace. A test send has none. */
  readonly sequence?: number;
  readonly environment: Event['environment'];
  /** True in a test send. */
  readonly test?: boolean;
}

const toleranceSeconds = 5 * 60;
/** A webhook has at most two. The bound keeps the work for a forged header small. */
const maxSignatures = 16;

/**
 * Resolves to the event of a webhook, if a signature of one of the secrets matches and the timestamp is at most 5 minutes from now.
 * Rejects with {@link WebhookVerificationError}. `body`: the bytes that arrived, before any parser.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: WebhookBody,
  secrets: string | readonly string[],
  { nowMs = Date.now }: WebhookOptions = {},
): Promise<WebhookEvent> {
  if (typeof body !== 'string' && typeof body?.byteLength !== 'number')
    throw new TypeError('body must be the raw body, as a string or as bytes: take it before a parser of JSON does');
  const keys = await importSecrets(secrets);
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const id = singleHeader(entries, webhookHeaders.id);
  const timestamp = singleHeader(entries, webhookHeaders.timestamp);
  const signatures = signaturesIn(valuesOf(entries, webhookHeaders.signature));
  requireTimely(timestamp, nowMs() / 1_000);
  const content = signedContent(id, timestamp, body);
  for (const key of keys)
    for (const signature of signatures) if (await isSignatureOf(key, signature, content)) return eventOf(id, body);
  throw new WebhookVerificationError('no signature of the webhook is that of a secret', 'no_matching_signature');
}

type Entries = readonly (readonly [string, string | readonly string[] | undefined])[];

function valuesOf(entries: Entries, name: string): string[] {
  const values = entries.flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  if (values.every((value) => value === ''))
    throw new WebhookVerificationError(`the webhook has no header ${name}`, 'missing_header');
  return values;
}

function singleHeader(entries: Entries, name: string): string {
  const [value = '', ...others] = valuesOf(entries, name);
  if (others.length === 0) return value;
  throw new WebhookVerificationError(`the webhook has several headers ${name}`, 'malformed_header');
}

/** Those of version 1, from one list or several. Servers join repeated headers with commas. */
function signaturesIn(values: readonly string[]): Uint8Array<ArrayBuffer>[] {
  return values
    .flatMap((value) => value.split(/,?\s+/))
    .flatMap((signature) => /^v1,(\S+)$/.exec(signature)?.[1] ?? [])
    .slice(0, maxSignatures)
    .map(fromBase64);
}

function requireTimely(timestamp: string, nowSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('the timestamp of the webhook is not whole seconds', 'malformed_header');
  const ageSeconds = Math.floor(nowSeconds) - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('the webhook is more than 5 minutes old', 'timestamp_too_old');
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookVerificationError('the webhook is more than 5 minutes in the future', 'timestamp_too_new');
}

function eventOf(id: string, body: WebhookBody): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {}
  if (typeof event === 'object' && event !== null && !Array.isArray(event)) return { ...event, id } as WebhookEvent;
  throw new WebhookVerificationError('the body of the webhook is not an object of JSON', 'malformed_body');
}
