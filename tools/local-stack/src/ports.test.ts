import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from './ports.ts';

describe('freePort', () => {
  it('freePort returns no port twice, also not to another process', async () => {
    const here = await Promise.all(Array.from({ length: 400 }, freePort));
    const script = `
      import { freePort } from ${JSON.stringify(new URL('./ports.ts', import.meta.url).href)};
      console.log(JSON.stringify(await Promise.all(Array.from({ length: 400 }, freePort))));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(new Set([...here, ...JSON.parse(stdout)]).size).toBe(800);
  });
});
