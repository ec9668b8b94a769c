import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Keeps 40 MB and allocates slowly between major collections, as a service does with few requests. */
const program = (prepare: string) => `
  import { setTimeout as pause } from 'node:timers/promises';
  ${prepare}
  globalThis.kept = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'text ' + n }));
  for (let collections = 0; collections < 8; collections++) {
    const made = [];
    for (let n = 0; n < 20; n++) {
      made.push({ text: 'short ' + n });
      await pause(10);
    }
    gc();
  }
`;

/** How far the heap may grow after the last major collection, as a multiple of what is alive. */
function growthOf(prepare: string): number {
  const args = ['--expose-gc', '--trace-gc-nvp', '--input-type=module', '--eval', program(prepare)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const traced = execFileSync(process.execPath, args, { encoding: 'utf8', env });
  const last = traced.split('\n').findLast((line) => line.includes('gc=mc')) ?? '';
  const figure = (name: string) => Number(last.match(new RegExp(`${name}=(\\d+)`))?.[1]);
  return figure('old_gen_allocation_limit') / figure('end_object_size');
}

it('allowHeapGrowth lets the heap triple with few requests, where by default a few large bodies fill it', () => {
  const file = new URL('heap-growth.ts', import.meta.url).href;
  expect(growthOf('')).toBeLessThan(2);
  expect(growthOf(`import { allowHeapGrowth } from '${file}'; allowHeapGrowth();`)).toBeGreaterThanOrEqual(2.9);
});
