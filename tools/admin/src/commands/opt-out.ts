import type { OptOut } from '@shopscope/proto';
import type { Command } from '../command.ts';
import { nextOf, page, pageSize, single } from '../output/output.ts';
import { encodeTimestamp } from '../resources/encode-timestamp.ts';
import { present } from './options.ts';

const optOutColumns = ['subject', 'reason', 'actor', 'created_at', 'removed_at'];
const subject = { name: 'SUBJECT', help: 'a domain, an address, or a network such as 203.0.113.0/24' };

export const optOutCommands: readonly Command[] = [
  {
    words: 'opt-out add',
    summary: 'Forbids all visits of a domain or a network, and removes the stores of a domain',
    note: 'Scans of it end as opted_out. Stores behind a network stay until their domains are opted out',
    operand: subject,
    options: { reason: { value: 'TEXT', help: 'why, for example who asked and when', required: true } },
    async run({ 'scan-scheduler': scheduler }, { operand, need, actor }) {
      const { optOut, created } = await scheduler.addOptOut({ subject: operand, reason: need('reason'), actor });
      return single({ ...encodeOptOut(present(optOut, 'opt-out')), created });
    },
  },
  {
    words: 'opt-out remove',
    summary: 'Allows visits of a domain or a network again; a next scan shows its store',
    operand: subject,
    options: {},
    async run({ 'scan-scheduler': scheduler }, { operand, actor }) {
      const { optOut } = await scheduler.removeOptOut({ subject: operand, actor });
      return single(encodeOptOut(present(optOut, 'opt-out')));
    },
  },
  {
    words: 'opt-out list',
    summary: 'Lists the domains and networks that are not visited',
    options: {
      all: { value: '', help: 'include removed entries' },
      after: { value: 'SUBJECT', help: 'the list begins after this entry' },
    },
    async run({ 'scan-scheduler': scheduler }, { has, optional }) {
      const request = { withRemoved: has('all'), afterSubject: optional('after') ?? '', limit: pageSize };
      const { optOuts } = await scheduler.listOptOuts(request);
      return page(optOuts.map(encodeOptOut), {
        columns: optOutColumns,
        empty: 'Nothing is opted out.',
        next: nextOf(optOuts, 'after', ({ subject }) => subject),
      });
    },
  },
];

function encodeOptOut(optOut: OptOut) {
  return {
    subject: optOut.subject,
    reason: optOut.reason,
    actor: optOut.actor,
    created_at: encodeTimestamp(optOut.createdAtMs),
    removed_at: encodeTimestamp(optOut.removedAtMs),
    removed_by: optOut.removedBy || null,
  };
}
