import type { Visitor } from '@shopscope/browser/visitor';
import autocannon from 'autocannon';
import { cpuTimes } from './cpu.ts';
import { signedInPerson, workspaceOf } from './dashboard-people.ts';
import type { BenchSettings } from './settings.ts';
import { median, percentile } from './statistics.ts';
import { steadyLatencies } from './steady-load.ts';
import type { RunningSystem } from './system.ts';

/** Target: p95 of a neighbour's page during an attack divided by that of the same page alone. */
export const neighbourP95Goal = 2;

export interface NeighbourRow {
  attack: string;
  page: string;
  /** One of each round. */
  alone: Latencies[];
  attacked: Latencies[];
  /** Responses of the attack per second, by status. */
  attackPerSecond: Record<string, number>;
}

interface Latencies {
  p50Ms: number;
  p95Ms: number;
  failures: number;
}

interface Attack {
  name: string;
  connections: number;
  requests: autocannon.Request[];
}

/** Rate of the neighbour's requests of each page. A person reads slower, and the p95 needs some hundred requests. */
const perSecond = 5;
const neighbourAddress = '198.51.100.1';
const attackerAddress = '203.0.113.1';

/**
 * Pages of a neighbour, alone and beside attacks of one person or one address, in alternating rounds. The attack runs in a thread of its
 * own, and sends its next request after the response.
 */
export async function measureNeighbours(
  system: RunningSystem,
  { neighbourSeconds, warmUpSeconds, rounds }: Pick<BenchSettings, 'neighbourSeconds' | 'warmUpSeconds' | 'rounds'>,
  say: (line: string) => void,
): Promise<NeighbourRow[]> {
  const { url } = system.dashboard;
  const [ours, theirs] = [await workspaceOf(system, 'neighbour'), await workspaceOf(system, 'attacker')];
  const neighbour = await signedInPerson(system, {
    name: 'neighbour',
    workspaceId: ours,
    address: neighbourAddress,
  });
  const attacker = await signedInPerson(system, { name: 'attacker', workspaceId: theirs, address: attackerAddress });
  const pages = {
    "a neighbour's page": {
      path: `/workspaces/${ours}/settings/keys`,
      headers: headersOf(neighbour, neighbourAddress),
    },
    'a public page': { path: '/technologies', headers: { 'x-forwarded-for': neighbourAddress } },
  };
  const read = async (seconds: number): Promise<Record<string, Latencies>> => {
    const read = Object.entries(pages).map(async ([page, request]) => {
      const { latenciesMs, failures } = await steadyLatencies({
        ...{ url, seconds, perSecond, requests: [request] },
        connections: 64,
      });
      return [page, { all: latenciesMs, p50Ms: percentile(latenciesMs, 0.5), p95Ms: percentile(latenciesMs, 0.95), failures }] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  };

  await read(warmUpSeconds);
  const rows: NeighbourRow[] = [];
  for (const attack of attacksOf(theirs, attacker).filter(({ name }) => name.includes(process.env.ONLY ?? ''))) {
    const ofAttack = Object.keys(pages).map(
      (page) => ({ attack: attack.name, page, alone: [], attacked: [] }) as never as NeighbourRow,
    );
    for (let round = 1; round <= rounds; round++) {
      say(`${attack.name}, round ${round} of ${rounds} …`);
      const alone = await read(neighbourSeconds);
      const running = autocannon({
        url,
        connections: attack.connections,
        workers: 1,
        duration: neighbourSeconds + 1,
        requests: attack.requests,
        timeout: 30,
      });
      const attacked = await read(neighbourSeconds); if (process.env.SERIES) for (const v of Object.values(attacked)) say(' | ' + JSON.stringify((v as any).all.map(Math.round)));
      const { statusCodeStats } = await running;
      for (const row of ofAttack) {
        row.alone.push(alone[row.page] as Latencies);
        row.attacked.push(attacked[row.page] as Latencies);
        row.attackPerSecond = Object.fromEntries(
          Object.entries(statusCodeStats ?? {}).map(([status, { count = 0 }]) => [status, count / neighbourSeconds]),
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

function attacksOf(workspaceId: string, attacker: Visitor): Attack[] {
  const person = headersOf(attacker, attackerAddress);
  const anonymous = { 'x-forwarded-for': attackerAddress };
  return [
    {
      name: 'one member with 24 connections',
      connections: 24,
      requests: [{ path: `/workspaces/${workspaceId}/usage`, headers: person }],
    },
    {
      name: 'nobody with 48 connections on /sign-in',
      connections: 48,
      requests: [{ path: '/sign-in', headers: { ...anonymous, connection: 'close' } }],
    },
    {
      name: 'nobody with 48 kept connections on /sign-in',
      connections: 48,
      requests: [{ path: '/sign-in', headers: anonymous }],
    },
    {
      name: 'V person 100 connections',
      connections: 100,
      requests: [{ path: `/workspaces/${workspaceId}/usage`, headers: person }],
    },
    {
      name: 'V person data',
      connections: 48,
      requests: [{ path: `/workspaces/${workspaceId}/usage.data`, headers: person }],
    },
    {
      name: 'V sign-in form',
      connections: 24,
      requests: [{ path: `/sign-in`, method: 'POST', headers: {...anonymous, origin: process.env.ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({email:'attacker@bench.example', password: 'correct horse battery staple'}).toString() }],
    },
    {
      name: 'V asset',
      connections: 48,
      requests: [{ path: process.env.ASSET, headers: anonymous }],
    },
    {
      name: 'V public',
      connections: 48,
      requests: [{ path: '/docs', headers: anonymous }],
    },
    {
      name: 'V mcp',
      connections: 48,
      requests: [{ path: '/mcp', method: 'POST', headers: anonymous, body: '{}' }],
    },
    {
      name: 'V 403',
      connections: 48,
      requests: [{ path: '/sign-in', method: 'POST', headers: {...anonymous}, body: 'a=b' }],
    },
  ];
}
