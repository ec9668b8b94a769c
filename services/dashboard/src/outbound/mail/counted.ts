import { Counter, type Registry } from '@shopscope/telemetry';
import type { SendMail } from './send-mail.ts';

/** Counts accepted and refused messages. Both series begin at 0, so an alert sees the first failure. */
export function countMails(send: SendMail, registry: Registry): SendMail {
  const mails = new Counter({
    name: 'dashboard_mails_total',
    help: 'Messages by outcome: sent (the mail server accepted it) or failed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0);
  return async (mail) => {
    try {
      await send(mail);
      mails.inc({ outcome: 'sent' });
    } catch (error) {
      mails.inc({ outcome: 'failed' });
      throw error;
    }
  };
}
