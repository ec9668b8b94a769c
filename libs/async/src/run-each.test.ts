import { expect, it } from 'vitest';
import { runEach } from './run-each.ts';

it('steps run one after another, and a step that fails is reported and does not stop the others', async () => {
  const log: unknown[] = [];
  const failure = new Error('failed');
  const first = async () => {
    await Promise.resolve();
    log.push('first');
    throw failure;
  };
  await runEach({ first, second: async () => log.push('second') }, (step, error) => log.push([step, error]));
  expect(log).toEqual(['first', ['first', failure], 'second']);
});
