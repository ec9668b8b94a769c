import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { syncModuleOf, syncModules } from './sync-modules.ts';

const read = (name: string) => readFileSync(new URL(`../src/shopscope/${name}.py`, import.meta.url), 'utf8');

describe.each(syncModules)('synchronous Python module %s', (name) => {
  const generated = syncModuleOf(name, read(`_async_${name}`));

  it(`the synchronous Python module ${name} is the one that the asynchronous module generates`, () => {
    expect(read(`_${name}`)).toBe(generated);
  });

  it(`the synchronous Python module ${name} has nothing of asyncio`, () => {
    const code = generated.split('\n').slice(1).join('\n');
    expect(code).not.toMatch(/asyncio|\basync\b|\bawait\b|\bAsync|\ba(?:close|enter|exit|iter)\b/);
  });
});

it('a synchronous module is not generated if the asynchronous module lacks a text that has to be replaced', () => {
  const other = read('_async_client').replaceAll('AsyncDriver', 'Driver');
  expect(() => syncModuleOf('client', other)).toThrow('the asynchronous module client has no "AsyncDriver"');
});
