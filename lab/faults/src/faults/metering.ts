import { ofKinds } from '../checker/timeline.ts';
import { all, failsAsInternal, keepsSucceeding } from './expectations.ts';
import { freeze, kill, suspend } from './inject.ts';
import { injectDuringTransactions } from './inject-during.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'small-allowance', 'enrich', 'refresh');

const meteringRow = {
  row: 'metering KILL before/after commit; STOP 70 s; reply cut',
  expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal; the other instance serves',
};
const otherServes = all(failsAsInternal, keepsSucceeding('billed requests', lookUps));
export const meteringScenarios: Scenario[] = [
  {
    ...meteringRow,
    name: 'metering-kill',
    durationMs: [500, 1_500],
    inject: (context) => kill(context, `metering-${context.random.between(1, 2)}`),
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-before-commit',
    durationMs: [500, 1_500],
    inject: (context) =>
      injectDuringTransactions(context, { direction: 'up', when: 'open' }, (name) => kill(context, name)),
    requiredFigures: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-after-commit',
    durationMs: [500, 1_500],
    inject: (context) =>
      injectDuringTransactions(context, { direction: 'down', when: 'decided' }, (name) => kill(context, name)),
    requiredFigures: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-stop',
    durationMs: [70_000, 72_000],
    inject: (context) =>
      injectDuringTransactions(context, { direction: 'up', when: 'open' }, (name) => suspend(context, name)),
    requiredFigures: ['transactions interrupted'],
    check: otherServes,
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
