import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook } from '../../../../packages/client/src/index.ts';
import { addReceivedId } from '../../../../packages/n8n-nodes-shopscope/nodes/ShopscopeTrigger/received-ids.ts';
import { verifyWebhook } from '../../../../packages/n8n-nodes-shopscope/nodes/ShopscopeTrigger/verify-webhook.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const nowMs = Date.parse('2026-01-15T12:00:00Z');
const id = 'evt_01kandxv3w9p4nsbq7g8e2hm5t';
const text = '{"type":"scan.completed","data":{"domain":"bücher.example"}}';
const body = Buffer.from(text);
const event = { id, type: 'scan.completed', data: { domain: 'bücher.example' } };

const signed = (secrets: string | string[] = secret, atMs = nowMs) =>
  signWebhook({ id, body, secrets }, { nowMs: () => atMs });
const verify = (headers: Record<string, string | string[]>, from = body, atMs = nowMs) =>
  verifyWebhook({ headers, body: from }, { secret, nowMs: atMs });

describe('the verification of a webhook', () => {
  it('a webhook is accepted that the library of Standard Webhooks has signed', () => {
    const signature = new Webhook(secret).sign(id, new Date(nowMs), text);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(nowMs / 1_000),
      'webhook-signature': signature,
    };
    expect(verify(headers)).toEqual(event);
  });

  it('a webhook is accepted whose second signature is that of the secret, as during a rotation', async () => {
    expect(verify(await signed([otherSecret, secret]))).toEqual(event);
  });

  it.each([-300_000, 0, 300_000])('a webhook is accepted whose clock differs by %i ms', async (differenceMs) => {
    expect(verify(await signed(secret, nowMs + differenceMs))).toEqual(event);
  });

  it.each([-301_000, 301_000])('a webhook is refused whose clock differs by %i ms', async (differenceMs) => {
    expect(verify(await signed(secret, nowMs + differenceMs))).toBeNull();
  });

  it('a webhook is refused with another secret, another body, another id or another timestamp', async () => {
    const headers = await signed();
    expect(verify(await signed(otherSecret))).toBeNull();
    expect(verify(headers, Buffer.from(text.replace('scan', 'Scan')))).toBeNull();
    expect(verify({ ...headers, 'webhook-id': 'evt_other' })).toBeNull();
    expect(verify({ ...headers, 'webhook-timestamp': String(nowMs / 1_000 + 1) })).toBeNull();
  });

  it.each([
    ['webhook-id', []],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', ''],
    ['webhook-signature', ''],
    ['webhook-signature', 'v1,'],
    ['webhook-signature', 'v2,AAAA'],
  ])('a webhook is refused whose header %s is %j', async (name, value) => {
    expect(verify({ ...(await signed()), [name]: value })).toBeNull();
  });

  it('a webhook is refused whose signature comes after the sixteenth', async () => {
    const headers = await signed();
    const forged = `v1,${createHmac('sha256', 'x').update('x').digest('base64')} `;
    const withForged = (count: number) => ({
      ...headers,
      'webhook-signature': forged.repeat(count) + headers['webhook-signature'],
    });
    expect(verify(withForged(15))).toEqual(event);
    expect(verify(withForged(16))).toBeNull();
  });
});

describe('the ids of received events', () => {
  it('a known id is refused, and the oldest of more than 1,000 ids is forgotten', () => {
    let ids: string[] = [];
    for (let n = 0; n < 1_001; n++) ids = addReceivedId(ids, `evt_${n}`) as string[];
    expect(ids).toHaveLength(1_000);
    expect(addReceivedId(ids, 'evt_1000')).toBeNull();
    expect(addReceivedId(ids, 'evt_0')).toContain('evt_0');
  });
});
