import { secondMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { cleaned } from '@shopscope/text';
import { type Attempt, maxExcerptBytes } from '../../domain/delivery.ts';
import { signatureHeaders } from '../../domain/signature.ts';
import type { StoredEndpoint } from '../../outbound/mongo/endpoints.ts';
import type { Dependencies } from '../dependencies.ts';
import { open } from '../sealed-parts.ts';

/** The time limit of an attempt: DNS, connection, TLS, response. */
export const attemptMs = 15 * secondMs;
const userAgent = 'Shopscope-Webhooks/1';

export interface Sent {
  attempt: Attempt;
  /** Headers of the response, with names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** Sends one message. It never rejects because of the receiver. `timeoutMs`: less than {@link attemptMs} if a caller waits. */
export async function sendAttempt<E extends Environment>(
  { sender, vault, clock }: Pick<Dependencies<E>, 'sender' | 'vault' | 'clock'>,
  endpoint: StoredEndpoint,
  { id, body }: { id: string; body: string },
  timeoutMs: number = attemptMs,
): Promise<Sent> {
  const at = new Date(clock.now());
  const { secrets, headers: own } = open(vault, endpoint.id, endpoint.sealed);
  const headers = {
    ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders({ id, body, at }, secrets),
  };
  const startMs = clock.monotonicMs();
  const { response, error } = await sender.send({ url: endpoint.url, headers, body }, timeoutMs);
  const latencyMs = Math.round(clock.monotonicMs() - startMs);
  return response
    ? {
        attempt: { at, status: response.status, error: null, latencyMs, excerpt: excerptOf(response.body) },
        headers: response.headers,
      }
    : { attempt: { at, status: null, error: error.code, latencyMs, excerpt: '' }, headers: {} };
}

/** The text of a receiver is hostile: only safe characters are kept. */
function excerptOf(body: Uint8Array): string {
  const text = cleaned(Buffer.from(body.subarray(0, maxExcerptBytes)).toString('utf8'), maxExcerptBytes);
  return Buffer.from(text)
    .subarray(0, maxExcerptBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}
