import { expect, it } from 'vitest';
import { commandsOf, matching } from './commands.ts';

const workspaces = [
  { id: 'ws_1', name: 'Acme' },
  { id: 'ws_2', name: 'Beta' },
];
const labels = (text: string, role: 'admin' | 'member' = 'admin') =>
  matching(commandsOf({ workspace: { id: 'ws_1', role }, workspaces }), text).map(({ label }) => label);

it('finds pages by parts of their names and by further words, and names that begin with the text first', () => {
  expect(labels('us')).toEqual(['Usage', 'Usage by key']);
  expect(labels('KEY')).toEqual(['Usage by key', 'API keys', 'Create an API key']);
  expect(labels('rate')).toContain('Plan');
  expect(labels('log audit')).toEqual(['Audit log']);
  expect(labels('nothing')).toEqual([]);
});

it('without a text shows every page of the workspace, and the other workspaces of the person', () => {
  expect(labels('')).toContain('Beta');
  expect(labels('')).not.toContain('Acme');
  expect(labels('').length).toBe(11);
});

it('shows members no page that only admins may open', () => {
  expect(labels('audit', 'member')).toEqual([]);
  expect(labels('create', 'member')).toEqual([]);
});
