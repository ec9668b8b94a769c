import { expect, it } from 'vitest';
import { createUnreadAnswers } from './unread-answers.ts';

it('unread answers beyond their memory are cut: the oldest one of the workspace with the most bytes first', () => {
  const unread = createUnreadAnswers(100);
  const cuts: string[] = [];
  const add = (workspaceId: string, name: string, bytes: number) =>
    unread.add(workspaceId, { bytes, cut: () => cuts.push(name) });
  add('ws_light', 'light', 30);
  add('ws_heavy', 'heavy 1', 20);
  const ended = add('ws_heavy', 'heavy 2', 20);
  add('ws_heavy', 'heavy 3', 30);
  expect([cuts, unread.bytes]).toEqual([[], 100]);
  add('ws_other', 'other', 10);
  expect([cuts, unread.bytes]).toEqual([['heavy 1'], 90]);
  ended();
  ended();
  expect(unread.bytes).toBe(70);
  add('ws_heavy', 'heavy 4', 60);
  expect([cuts, unread.bytes]).toEqual([['heavy 1', 'heavy 3'], 100]);
});
