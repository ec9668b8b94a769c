import type { Visitor } from '@shopscope/browser/visitor';
import autocannon from 'autocannon';
import { signedInPerson, signInForm, workspaceOf } from './dashboard-people.ts';
import { percentile } from './statistics.ts';
import { steadyLatencies } from './steady-load.ts';
import type { Bench, RunningSystem } from './system.ts';

/** Target: p95 of a neighbour's page during an attack divided by that of the same page alone. */
export const neighbourGoal = 2;

export interface NeighbourRow {
  attack: string;
  page: string;
  /** One of each round. */
  alone: PageTimes[];
  attacked: PageTimes[];
  /** Answers to the attack in the last round, by status. */
  answers: Record<string, number>;
}

export interface PageTimes {
  p50Ms: number;
  p95Ms: number;
  /** Responses other than 200. */
  failures: number;
}

/** Requests of each page: fewer than the limits of a person and of an address. */
const perSecond = 4;
const connections = 64;
/** Addresses for documentation (RFC 5737). The dashboard of the bench accepts them, because it trusts this machine as a proxy. */
const addresses = { neighbour: '198.51.100.1', attacker: '203.0.113.1' };

/**
 * Measures pages of a neighbour alone, and beside the attacks of one person or one address, in alternating rounds. An attack begins with
 * the measurement and runs in a thread of its own. Each of its connections sends its next request after the response.
 */
export async function measureNeighbours({ system, settings, say }: Bench): Promise<NeighbourRow[]> {
  const { neighbourSeconds, warmUpSeconds, rounds } = settings;
  const { url } = system.dashboard;
  const person = async (name: keyof typeof addresses) => {
    const workspaceId = await workspaceOf(system, name);
    const visitor = await signedInPerson(system, { name, workspaceId, address: addresses[name] });
    return { workspaceId, headers: headersOf(visitor, addresses[name]) };
  };
  const [neighbour, attacker] = [await person('neighbour'), await person('attacker')];
  const pages = {
    'page of a neighbour': { path: `/workspaces/${neighbour.workspaceId}/settings/keys`, headers: neighbour.headers },
    'public page': { path: '/technologies', headers: { 'x-forwarded-for': addresses.neighbour } },
  };
  const read = async (seconds: number): Promise<Map<string, PageTimes>> => {
    const times = Object.entries(pages).map(async ([page, request]) => {
      const load = { url, connections, seconds, perSecond, requests: [request] };
      const { latenciesMs, failures } = await steadyLatencies(load);
      const [p50Ms, p95Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.95)];
      return [page, { p50Ms, p95Ms, failures }] as const;
    });
    return new Map(await Promise.all(times));
  };

  await read(warmUpSeconds);
  const rows: NeighbourRow[] = [];
  for (const { name, connections: held, request } of attacksOf(system, attacker)) {
    const ofAttack = Object.keys(pages).map((page) => ({
      attack: name,
      page,
      alone: [] as PageTimes[],
      attacked: [] as PageTimes[],
      answers: {},
    }));
    for (let round = 1; round <= rounds; round++) {
      say(`${name}, round ${round} of ${rounds} …`);
      const alone = await read(neighbourSeconds);
      const attack = autocannon({
        url,
        connections: held,
        workers: 1,
        duration: neighbourSeconds,
        requests: [request],
        timeout: 30,
      });
      const attacked = await read(neighbourSeconds);
      const { statusCodeStats = {} } = await attack;
      for (const row of ofAttack) {
        row.alone.push(alone.get(row.page) as PageTimes);
        row.attacked.push(attacked.get(row.page) as PageTimes);
        row.answers = Object.fromEntries(
          Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]),
        );
      }
    }
    rows.push(...ofAttack);
  }
  return rows;
}

const headersOf = (visitor: Visitor, address: string) => ({
  cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-forwarded-for': address,
});

function attacksOf(
  { dashboard }: RunningSystem,
  { workspaceId, headers }: { workspaceId: string; headers: Record<string, string> },
): { name: string; connections: number; request: autocannon.Request }[] {
  const anonymous = { 'x-forwarded-for': addresses.attacker };
  const signIn = { path: '/sign-in', headers: anonymous };
  const form = { ...anonymous, origin: dashboard.url, 'content-type': 'application/x-www-form-urlencoded' };
  return [
    {
      name: 'a member with 24 connections, usage',
      connections: 24,
      request: { path: `/workspaces/${workspaceId}/usage`, headers },
    },
    {
      name: '48 connections without a session, sign-in, closed each time',
      connections: 48,
      request: { ...signIn, headers: { ...anonymous, connection: 'close' } },
    },
    { name: '48 connections without a session, sign-in, kept', connections: 48, request: signIn },
    {
      name: '24 connections without a session, password of an account',
      connections: 24,
      request: { path: '/sign-in', method: 'POST', headers: form, body: signInForm('attacker') },
    },
  ];
}
