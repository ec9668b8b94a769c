import { corpusOf } from '@shopscope/demo-stores';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { welcome } from './welcome.ts';

const result = (input: string, types?: string[]) => ({
  input,
  match: types ? 'stale' : 'no_match',
  scan_job_id: null,
  store: types ? { domain: input, recent_signals: types.map((type) => ({ type })) } : null,
});
const failures = { 'dead.example': 'The store did not accept a connection.' };
const state = {
  pepper: '',
  cursorSecret: '',
  sessionSecret: '',
  webhookSecret: 'w',
  keys: { full: 'svc_live_full', read_only: 'svc_live_read', test: 'svc_test_try' },
  people: {
    admin: { email: 'admin@demo.example', password: 'first' },
    member: { email: 'member@demo.example', password: 'second' },
  },
};
const greet = (...results: ReturnType<typeof result>[]) => {
  const text = welcome(readSettings({}, []), state, corpusOf(results, failures));
  return { text, commands: text.split('\n').filter((line) => line.startsWith('  curl ')) };
};

describe('greeting of npm start', () => {
  it('the greeting of npm start offers a known store, the history of a store, a search of changes, and a store never scanned', () => {
    const { text, commands } = greet(
      result('b.example', ['technology_added']),
      result('a.example', []),
      result('moved.example', ['technology_added', 'technology_removed']),
      result('new.example'),
      result('dead.example'),
    );
    expect(commands).toHaveLength(5);
    expect(commands[0]).toMatch(/\/v1\/stores\/a\.example$/);
    expect(commands[1]).toMatch(/\/v1\/stores\/moved\.example\/history$/);
    expect(commands[2]).toMatch(/'http:\S+\/v1\/signals\?type=technology_removed&limit=5'$/);
    expect(commands[3]).toContain(`-d '{"domains":["new.example"],"refresh":true}'`);
    expect(commands[4]).toMatch(/\/v1\/stores\/new\.example$/);
    expect(text).toContain('\n3 of 5 demo stores are in the corpus.\n');
    expect(text).toContain('2 have changed since their first scan: b.example (technology_added), moved.example');
    expect(text).toContain('1 were never scanned, for you to request: new.example\n');
    expect(text).toContain('  dead.example is not in it: The store did not accept a connection.\n');
    expect(text).toContain('Beside them, demo-0001.example to demo-2000.example are generated');
  });

  it('the greeting of npm start names the dashboard with the sign-in of an admin and of a member', () => {
    const { text } = greet(result('a.example', []));
    expect(text).toContain(`
  dashboard      http://127.0.0.1:8090
    admin        admin@demo.example  password: first
    member       member@demo.example  password: second
`);
  });

  it('the greeting of npm start names the documentation, and sets what its examples read', () => {
    const { text } = greet(result('a.example', []));
    expect(text).toContain(`
  documentation  http://127.0.0.1:8090/docs
  for its examples, which the test tenant answers free of charge:

  export SHOPSCOPE_BASE_URL=http://127.0.0.1:8080 SHOPSCOPE_API_KEY=svc_test_try
`);
  });

  it('the greeting of npm start offers no scan when every store that can be scanned is known', () => {
    const { text, commands } = greet(result('a.example', []), result('b.example', []), result('dead.example'));
    expect(commands).toHaveLength(2);
    expect(commands[1]).toContain(`-d '{"domains":["a.example","b.example"]}'`);
    expect(text).not.toContain('never');
    expect(text).not.toContain('refresh');
  });

  it('the greeting of npm start counts a store as known after a later successful scan', () => {
    const { text } = greet(result('a.example', []), result('dead.example', []));
    expect(text).toContain('\n2 of 2 demo stores are in the corpus.\n');
    expect(text).not.toContain('is not in it');
  });
});
