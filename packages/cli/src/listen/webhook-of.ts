import { type Event, signWebhook } from '@shopscope/client';

/** A body above this size has the ids of its event in place of the data. */
const maxBodyBytes = 20 * 1024;
const maxIdLength = 200;

/** The request that a webhook makes of the event, signed with the secret. */
export async function webhookOf(
  event: Event,
  secret: string,
): Promise<{ headers: Record<string, string>; body: string }> {
  const whole = bodyOf(event, event.data);
  const body = Buffer.byteLength(whole) <= maxBodyBytes ? whole : bodyOf(event, truncatedData(event));
  const signature = await signWebhook({ id: event.id, body, secrets: secret });
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Shopscope-Webhooks/1',
    ...signature,
  };
  return { headers, body };
}

const bodyOf = ({ type, created_at, sequence, environment }: Event, data: object): string =>
  JSON.stringify({ type, timestamp: created_at, data, sequence, environment });

function truncatedData({ data, related }: Event): object {
  const ids = Object.entries(data).filter(
    ([name, value]) => isIdName(name) && typeof value === 'string' && value.length <= maxIdLength,
  );
  return { ...Object.fromEntries(ids), truncated: true, related: related ?? undefined };
}

const isIdName = (name: string): boolean => name === 'id' || name === 'domain' || name.endsWith('_id');
