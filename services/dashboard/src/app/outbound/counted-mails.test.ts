import { createRegistry } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { createMetrics } from '../../metrics.ts';
import { countMails } from './counted-mails.ts';

it('a message that the mail server refuses is counted as failed, and the error reaches the caller', async () => {
  const registry = createRegistry({ service: 'dashboard' });
  const refused = new Error('550 no such user');
  const send = countMails(async ({ to }) => {
    if (to === 'nobody@example.com') throw refused;
  }, createMetrics(registry).mails);
  const counts = async () => {
    const metric = await registry.getSingleMetric('dashboard_mails_total')?.get();
    return metric?.values.map(({ labels, value }) => [labels.outcome, value]);
  };
  expect(await counts()).toEqual([
    ['sent', 0],
    ['refused', 0],
    ['failed', 0],
  ]);
  const mail = { subject: 'Invitation', text: 'A link.' };
  await send({ ...mail, to: 'ann@example.com' });
  await expect(send({ ...mail, to: 'nobody@example.com' })).rejects.toBe(refused);
  expect(await counts()).toEqual([
    ['sent', 1],
    ['refused', 0],
    ['failed', 1],
  ]);
});
