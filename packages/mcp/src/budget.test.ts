import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, ConnectionError } from '@shopscope/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BudgetSpentError, createBudget } from './budget.ts';
import { fileBudget } from './file-budget.ts';

describe('budget of a day', () => {
  let directory: string;
  let now: Date;
  const budget = (dailyUnits = 10) =>
    createBudget({ store: fileBudget(directory), dailyUnits, keyId: async () => 'key_1', now: () => now });
  const costing = (spent: number) => async () => ({ result: 'done', spent });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mcp-budget-'));
    now = new Date('2026-11-24T23:00:00Z');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('the budget of a day counts what calls cost, not what they could have cost', async () => {
    await budget().spend(8, costing(3));
    await expect(budget().left()).resolves.toBe(7);
  });

  test('the budget of a day refuses a call that could exceed it, and makes no call', async () => {
    await budget().spend(8, costing(8));
    let isCalled = false;
    const call = async () => {
      isCalled = true;
      return { result: 'done', spent: 3 };
    };
    await expect(budget().spend(3, call)).rejects.toBeInstanceOf(BudgetSpentError);
    expect(isCalled).toBe(false);
    await expect(budget().spend(2, costing(2))).resolves.toBe('done');
    await expect(budget().left()).resolves.toBe(0);
  });

  test('the budget of a day is shared by servers at the same time, and never exceeded', async () => {
    const calls = Array.from({ length: 40 }, () => budget().spend(1, costing(1)));
    const done = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBeLessThanOrEqual(10);
    expect(await budget().left()).toBe(10 - done.length);
  });

  test('the budget of a day begins again with the next day, whose files replace those of the day before', async () => {
    await budget().spend(10, costing(10));
    now = new Date('2026-11-25T00:00:00Z');
    await expect(budget().spend(1, costing(1))).resolves.toBe('done');
    expect(readdirSync(directory)).toEqual(['mcp-units-key_1-2026-11-25']);
  });

  test('the budget of a day keeps what an unanswered call may have cost, and gives back what the service refused', async () => {
    const fields = { status: 402, requestId: '', retryAfterMs: undefined, resetAt: undefined, unit: undefined };
    const failing = (error: Error) => () => Promise.reject(error);
    await expect(
      budget().spend(4, failing(new ApiError('spent', { code: 'payment_required', ...fields }))),
    ).rejects.toThrow('spent');
    await expect(budget().left()).resolves.toBe(10);
    await expect(budget().spend(4, failing(new ConnectionError('cut')))).rejects.toThrow('cut');
    await expect(budget().left()).resolves.toBe(6);
  });
});
