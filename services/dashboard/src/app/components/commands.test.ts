import { expect, it } from 'vitest';
import { commandsOf, lookUpCommand, matching } from './commands.ts';

const workspaces = [
  { id: 'ws_1', name: 'Acme' },
  { id: 'ws_2', name: 'Beta' },
];
const labels = (text: string, role: 'admin' | 'member' = 'admin') =>
  matching(commandsOf({ workspace: { id: 'ws_1', segment: 'ws_1', environment: 'live', role }, workspaces }), text).map(
    ({ label }) => label,
  );

it('the search of commands finds pages by parts of names and by further words, and names that begin with the text first', () => {
  expect(labels('us')).toEqual(['Usage', 'Usage by key']);
  expect(labels('KEY')).toEqual(['Usage by key', 'API keys', 'Create an API key']);
  expect(labels('rate')).toContain('Plan');
  expect(labels('log audit')).toEqual(['Audit log']);
  expect(labels('nothing')).toEqual([]);
});

it('the search of commands without a text shows every page of the workspace, and the other workspaces of the person', () => {
  expect(labels('')).toContain('Beta');
  expect(labels('')).not.toContain('Acme');
  expect(labels('').length).toBe(19);
});

it('the search of commands offers to find a request for a text that can be an X-Request-Id, after the pages', () => {
  const commands = commandsOf({
    workspace: { id: 'ws_1', segment: 'ws_1', environment: 'live', role: 'member' },
    workspaces,
  });
  expect(matching(commands, ' req_01kandxv3w ')).toEqual([
    expect.objectContaining({
      label: 'Find request req_01kandxv3w',
      to: '/workspaces/ws_1/requests?id=req_01kandxv3w',
    }),
  ]);
  expect(labels('Nightly-Import-1')).toEqual(['Find request Nightly-Import-1']);
  for (const text of ['requests', 'settings', 'req_1', "req_01'kandxv3w"])
    expect(labels(text).filter((label) => label.startsWith('Find request'))).toEqual([]);
});

it('the search of commands shows members no page that only admins may open', () => {
  expect(labels('audit', 'member')).toEqual([]);
  expect(labels('create', 'member')).toEqual([]);
});

it.each([
  ['shop.example', 'shop.example'],
  [' https://www.shop.example/a?b=c ', 'https://www.shop.example/a?b=c'],
  ['bücher.example', 'bücher.example'],
])('the search of commands leads from the domain %s to the form of a look-up, which is filled in', (text, domain) => {
  const command = lookUpCommand('ws_1', text);
  expect(command?.label).toBe(`Look up ${domain}`);
  const to = new URL(command?.to ?? '', 'http://dashboard.example');
  expect([to.pathname, to.searchParams.get('domain')]).toEqual(['/workspaces/ws_1/stores', domain]);
});

it.each(['', 'usage', 'api keys', 'shop.', '.example', 'a b.example', 'x.y'.repeat(200)])(
  'the search of commands finds no domain in "%s"',
  (text) => {
    expect(lookUpCommand('ws_1', text)).toBeUndefined();
  },
);
