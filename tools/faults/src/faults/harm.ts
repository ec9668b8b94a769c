import { connect } from 'node:net';
import type { Standing } from '../checker/timeline.ts';
import type { FaultSystem } from '../system/system.ts';
import type { Link } from '../system/toxiproxy.ts';
import type { Heal, Stage } from './scenario.ts';

/** What is not harmed for good. */
export const nothingToHeal: Heal = async () => performance.now();

type Harmed = Pick<Stage, 'system' | 'struck' | 'figure'>;

export async function kill({ system, struck, figure }: Harmed, name: string): Promise<Heal> {
  const node = system.node(name);
  const { pid } = node;
  const killedMs = performance.now();
  node.kill();
  struck();
  const replaced = node.untilReplaced(pid);
  // Whoever heals is told.
  replaced.catch(() => {});
  return async () => {
    const { startedMs, workingMs } = await replaced;
    figure('replacement started after, s', (startedMs - killedMs) / 1_000);
    figure('replacement ready after, s', (workingMs - startedMs) / 1_000);
    return startedMs;
  };
}

/** A gateway that is continued has its queue to work off. */
const wakingMs = 1_000;

export async function stand(stage: Pick<Stage, 'system' | 'standing' | 'struck'>, ...names: string[]): Promise<Heal> {
  const intervals: Standing[] = [];
  for (const name of names) {
    const [, number] = /^gateway-(\d+)$/.exec(name) ?? [];
    const interval = { gateway: Number(number) - 1, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    if (number) intervals.push(interval);
    stage.system.node(name).stop();
  }
  stage.standing.push(...intervals);
  stage.struck();
  return async () => {
    for (const name of names) stage.system.node(name).continue();
    for (const interval of intervals) interval.toMs = performance.now() + wakingMs;
    return performance.now();
  };
}

export const cut = (links: readonly Link[]): Promise<Heal> => harm(links, (link) => link.cut());
export const freeze = (links: readonly Link[], direction: 'up' | 'down' | 'both' = 'both'): Promise<Heal> =>
  harm(links, (link) => link.freeze(direction));
export const slow = (links: readonly Link[], direction: 'up' | 'down', latencyMs: number): Promise<Heal> =>
  harm(links, (link) => link.slow(direction, latencyMs));
export const reset = (links: readonly Link[], afterMs: number): Promise<Heal> =>
  harm(links, (link) => link.reset(afterMs));

async function harm(links: readonly Link[], doIt: (link: Link) => Promise<void>): Promise<Heal> {
  if (links.length === 0) throw new Error('there is no such link');
  await Promise.all(links.map(doIt));
  return async () => {
    await Promise.all(links.map((link) => link.heal()));
    return performance.now();
  };
}

/** Everything that Redis knew is gone, while it goes on. */
export async function flushRedis(system: FaultSystem): Promise<Heal> {
  await new Promise<void>((done, failed) => {
    const socket = connect(system.direct.redisPort, '127.0.0.1', () => socket.write('FLUSHALL\r\n'));
    socket.once('data', () => {
      socket.end();
      done();
    });
    socket.once('error', failed);
  });
  return nothingToHeal;
}
