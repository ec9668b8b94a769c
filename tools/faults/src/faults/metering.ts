import { ofKinds } from '../checker/timeline.ts';
import { all, failsAsInternal, successesGoOn } from './expectations.ts';
import { freeze, kill, stand } from './harm.ts';
import { amidTransactions } from './interrupt.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'tight', 'enrich', 'refresh');

const meteringRow = {
  row: 'metering KILL before/after commit; STOP 70 s; reply cut',
  expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal; the other instance serves',
};
const otherServes = all(failsAsInternal, successesGoOn('billed requests', lookUps));
export const meteringScenarios: Scenario[] = [
  {
    ...meteringRow,
    name: 'metering-kill',
    holdMs: [500, 1_500],
    inject: (stage) => kill(stage, `metering-${stage.random.between(1, 2)}`),
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-before-commit',
    holdMs: [500, 1_500],
    inject: (stage) => amidTransactions(stage, { direction: 'up', when: 'open' }, (name) => kill(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-after-commit',
    holdMs: [500, 1_500],
    inject: (stage) => amidTransactions(stage, { direction: 'down', when: 'decided' }, (name) => kill(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-stop',
    holdMs: [70_000, 72_000],
    inject: (stage) => amidTransactions(stage, { direction: 'up', when: 'open' }, (name) => stand(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-reply-cut',
    expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal',
    holdMs: [4_000, 8_000],
    inject: ({ system }) => freeze(system.links(/>metering-/), 'down'),
    exercises: ['touched by the fault'],
    check: failsAsInternal,
  },
];
