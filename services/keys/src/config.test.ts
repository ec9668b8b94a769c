import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigError } from '@shopscope/config';
import { describe, expect, it } from 'vitest';
import { loadConfig, peppersOf } from './config.ts';

const environment = {
  SHOPSCOPE_ENV: 'test',
  MONGODB_URL: 'mongodb://127.0.0.1:1',
  KAFKA_BROKERS: '127.0.0.1:1',
};
const one = 'first-development-secret-of-32-characters';
const two = 'second-development-secret-of-32-characters';
const read = (env: Record<string, string>) => peppersOf(loadConfig({ ...environment, ...env }));
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    read(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

it('keys has no movable clock unless its configuration asks for one, and production refuses it', () => {
  const env = { ...environment, KEY_PEPPER: one };
  expect(loadConfig(env).DEVELOPMENT_CLOCK).toBe(false);
  expect(loadConfig({ ...env, DEVELOPMENT_CLOCK: 'true' }).DEVELOPMENT_CLOCK).toBe(true);
  for (const SHOPSCOPE_ENV of ['production', '']) {
    expect(problemsOf({ ...env, SHOPSCOPE_ENV, DEVELOPMENT_CLOCK: 'true' })).toContainEqual(
      expect.stringMatching(/^DEVELOPMENT_CLOCK: /),
    );
  }
});

describe('pepper settings', () => {
  it('KEY_PEPPER configures one pepper with the id 1', () => {
    expect(read({ KEY_PEPPER: one })).toEqual([{ id: '1', secret: one }]);
  });

  it('KEY_PEPPERS configures several peppers in their order, directly or by a file', () => {
    const expected = [
      { id: '2', secret: two },
      { id: '1', secret: one },
    ];
    expect(read({ KEY_PEPPERS: `2:${two},1:${one}` })).toEqual(expected);
    const path = join(mkdtempSync(join(tmpdir(), 'peppers-')), 'peppers');
    writeFileSync(path, `2:${two}\n1:${one}\n`);
    expect(read({ KEY_PEPPERS_FILE: path })).toEqual(expected);
  });

  it('a pepper that others may know is refused in production, by the name of its variable and the place of its entry', () => {
    const production = { SHOPSCOPE_ENV: 'production', HOST: '127.0.0.1' };
    const random = () => randomBytes(32).toString('hex');
    expect(problemsOf({ ...production, KEY_PEPPER: one })).toEqual(['KEY_PEPPER: is public, so production refuses it']);
    expect(problemsOf({ ...production, KEY_PEPPERS: `2:${random()},1:${'abc'.repeat(20)}` })).toEqual([
      'KEY_PEPPERS: entry 2 repeats itself or counts, so production refuses it',
    ]);
    expect(problemsOf({ ...production, KEY_PEPPERS: `2:${random()},1:${random()}` })).toEqual([]);
  });

  it.each([
    [{}, 'KEY_PEPPER: is required, unless KEY_PEPPERS is set'],
    [{ KEY_PEPPER: 'short' }, 'KEY_PEPPER: must have at least 32 characters'],
    [{ KEY_PEPPER: one, KEY_PEPPERS: `2:${two}` }, 'KEY_PEPPERS: set either KEY_PEPPER or KEY_PEPPERS, not both'],
    [{ KEY_PEPPERS: `2:${two},1:short` }, 'KEY_PEPPERS: entry 2: the secret must have at least 32 characters'],
    [{ KEY_PEPPERS_FILE: '/absent' }, 'KEY_PEPPERS_FILE: cannot be read (ENOENT)'],
  ])('a wrong pepper setting is refused with the name of its variable and without its text: %#', (env, problem) => {
    const problems = problemsOf(env as Record<string, string>);
    expect(problems[0]).toBe(problem);
    expect(problems.join()).not.toContain(two);
  });
});
