import type { Command } from '../command.ts';
import { page, single } from '../output/output.ts';
import { encodeOptOut, optOutColumns } from '../resources/opt-out.ts';
import { present } from './options.ts';

const pageSize = 200;
const subject = { name: 'SUBJECT', help: 'a domain, an address, or a network such as 203.0.113.0/24' };

export const optOutCommands: readonly Command[] = [
  {
    words: 'opt-out add',
    summary: 'Forbids all visits of a domain or a network; every scanner holds it within a minute',
    note: 'Queued and running scans of it end as opted_out. What the corpus has of it stays',
    operand: subject,
    options: { reason: { value: 'TEXT', help: 'why, for example who asked and when', required: true } },
    async run({ 'scan-scheduler': scheduler }, { operand, need, actor }) {
      const { optOut, created } = await scheduler.addOptOut({ subject: operand, reason: need('reason'), actor });
      return single({ ...encodeOptOut(present(optOut, 'opt-out')), created });
    },
  },
  {
    words: 'opt-out remove',
    summary: 'Allows visits of a domain or a network again',
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
      all: { value: '', help: 'also entries that were removed' },
      after: { value: 'SUBJECT', help: 'list begins after this entry' },
    },
    async run({ 'scan-scheduler': scheduler }, { has, optional }) {
      const request = { withRemoved: has('all'), afterSubject: optional('after') ?? '', limit: pageSize };
      const { optOuts } = await scheduler.listOptOuts(request);
      const cursor = optOuts.length === pageSize ? optOuts.at(-1)?.subject : undefined;
      return page(optOuts.map(encodeOptOut), {
        columns: optOutColumns,
        empty: 'Nothing is opted out.',
        next: cursor ? { cursor, option: 'after' } : undefined,
      });
    },
  },
];
