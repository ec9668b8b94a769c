import { ofKinds } from '../checker/timeline.ts';
import { all, failsAsInternal, keepsSucceeding } from './expectations.ts';
import { freeze, kill, suspend } from './inject.ts';
import { injectDuringTransactions } from './inject-during.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'small-allowance', 'enrich', 'refresh');

const meteringRow = {
  row: 'metering KILL before/after commit; STOP 70 s; reply cut',
  expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal; the other instance serves',
  durationMs: [500, 1_500] as const,
  check: all(failsAsInternal, keepsSucceeding('billed requests', lookUps)),
};
const inTransactionRow = { ...meteringRow, requiredFigures: ['transactions interrupted'] };
const beforeCommit = { direction: 'up', when: 'open' } as const;
const afterCommit = { direction: 'down', when: 'decided' } as const;

export const meteringScenarios: Scenario[] = [
  {
    ...meteringRow,
    name: 'metering-kill',
    inject: (context) => kill(context, `metering-${context.random.between(1, 2)}`),
  },
  {
    ...inTransactionRow,
    name: 'metering-kill-before-commit',
    inject: (context) => injectDuringTransactions(context, beforeCommit, (name) => kill(context, name)),
  },
  {
    ...inTransactionRow,
    name: 'metering-kill-after-commit',
    inject: (context) => injectDuringTransactions(context, afterCommit, (name) => kill(context, name)),
  },
  {
    ...inTransactionRow,
    name: 'metering-stop',
    durationMs: [70_000, 72_000],
    inject: (context) => injectDuringTransactions(context, beforeCommit, (name) => suspend(context, name)),
  },
  {
    ...meteringRow,
    name: 'metering-reply-cut',
    expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal',
    durationMs: [4_000, 8_000],
    inject: ({ system }) => freeze(system.links(/>metering-/), 'down'),
    requiredFigures: ['touched by the fault'],
    check: failsAsInternal,
  },
];
