import { connect } from 'node:net';
import type { Suspension } from '../checker/timeline.ts';
import type { FaultSystem } from '../system/system.ts';
import type { Link } from '../system/toxiproxy.ts';
import type { FaultContext, Heal } from './scenario.ts';

/** Ends a fault that needs no repair. */
export const noHeal: Heal = async () => performance.now();

type InjectionContext = Pick<FaultContext, 'system' | 'recordFaultStart' | 'recordFigure'>;

export async function kill({ system, recordFaultStart, recordFigure }: InjectionContext, name: string): Promise<Heal> {
  const node = system.node(name);
  const { pid } = node;
  const killedMs = performance.now();
  node.kill();
  recordFaultStart();
  const replaced = node.untilReplaced(pid);
  // The heal function reports the rejection.
  replaced.catch(() => {});
  return async () => {
    const { startedMs, readyMs } = await replaced;
    recordFigure('replacement started after, s', (startedMs - killedMs) / 1_000);
    recordFigure('replacement ready after, s', (readyMs - startedMs) / 1_000);
    return startedMs;
  };
}

/** Ends an instance by SIGTERM and waits until its replacement is ready. */
export async function restart(
  { system, recordProblem }: Pick<FaultContext, 'system' | 'recordProblem'>,
  name: string,
): Promise<void> {
  const node = system.node(name);
  const { pid } = node;
  const how = await node.terminate();
  if (how !== 'exited with code 0') recordProblem(`${name} ${how} after SIGTERM`);
  await node.untilReplaced(pid);
}

/** A resumed gateway first handles the requests that have waited. They count as affected by the suspension. */
const backlogMs = 1_000;

export async function suspend(
  context: Pick<FaultContext, 'system' | 'suspensions' | 'recordFaultStart'>,
  ...names: string[]
): Promise<Heal> {
  const suspensions: Suspension[] = [];
  for (const name of names) {
    const [, number] = /^gateway-(\d+)$/.exec(name) ?? [];
    const suspension = { gateway: Number(number) - 1, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    if (number) suspensions.push(suspension);
    context.system.node(name).stop();
  }
  context.suspensions.push(...suspensions);
  context.recordFaultStart();
  return async () => {
    for (const name of names) context.system.node(name).continue();
    for (const suspension of suspensions) suspension.toMs = performance.now() + backlogMs;
    return performance.now();
  };
}

export const cut = (links: readonly Link[]): Promise<Heal> => inject(links, (link) => link.cut());
export const freeze = (links: readonly Link[], direction: 'up' | 'down' | 'both' = 'both'): Promise<Heal> =>
  inject(links, (link) => link.freeze(direction));
export const slow = (links: readonly Link[], direction: 'up' | 'down', latencyMs: number): Promise<Heal> =>
  inject(links, (link) => link.slow(direction, latencyMs));
export const reset = (links: readonly Link[], afterMs: number): Promise<Heal> =>
  inject(links, (link) => link.reset(afterMs));

async function inject(links: readonly Link[], fault: (link: Link) => Promise<void>): Promise<Heal> {
  if (links.length === 0) throw new Error('there is no such link');
  await Promise.all(links.map(fault));
  return async () => {
    await Promise.all(links.map((link) => link.heal()));
    return performance.now();
  };
}

/** Deletes all data in Redis while it keeps running. */
export async function flushRedis(system: FaultSystem): Promise<Heal> {
  await new Promise<void>((done, failed) => {
    const socket = connect(system.direct.redisPort, '127.0.0.1', () => socket.write('FLUSHALL\r\n'));
    socket.once('data', () => {
      socket.end();
      done();
    });
    socket.once('error', failed);
  });
  return noHeal;
}
