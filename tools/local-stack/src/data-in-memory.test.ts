import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepDataInMemory, removeState } from './data-in-memory.ts';

describe('data of a temporary stack', () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'data-in-memory-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  it('the data of a temporary stack are removed with its state directory, on the disk and in memory', () => {
    keepDataInMemory(stateDir);
    mkdirSync(join(stateDir, 'data', 'mongodb'), { recursive: true });
    const data = realpathSync(join(stateDir, 'data'));
    writeFileSync(join(data, 'mongodb', 'file'), '');
    removeState(stateDir);
    expect([existsSync(stateDir), existsSync(data)]).toEqual([false, false]);
  });

  it('the data of a temporary stack are removed only where the stack has put them', () => {
    const other = join(stateDir, 'other');
    const state = join(stateDir, 'state');
    mkdirSync(other);
    mkdirSync(state);
    symlinkSync(other, join(state, 'data'));
    removeState(state);
    expect([existsSync(state), existsSync(other)]).toEqual([false, true]);
  });
});
