import type { FaultContext, Heal } from './scenario.ts';

/** The figure of the time from the fault, or from its end, until the data server itself accepts writes again. */
export const serverRecovered = 'server recovered after, s';

type Context = Pick<FaultContext, 'system' | 'recordFaultStart' | 'recordFigure'>;

/**
 * Records when a data server recovers by itself during the fault, for example by an election. The recovery of the services counts from that
 * instant. `heal` ends the fault, and `untilWhole` waits until every node runs and follows.
 */
export function afterFailover(
  { recordFaultStart, recordFigure }: Pick<Context, 'recordFaultStart' | 'recordFigure'>,
  {
    recovered,
    heal,
    untilWhole,
  }: { recovered: Promise<number>; heal?(): Promise<unknown>; untilWhole(): Promise<unknown> },
): Heal {
  const startMs = performance.now();
  recordFaultStart();
  // The heal function reports the rejection.
  recovered.catch(() => {});
  return async () => {
    const recoveredMs = await recovered;
    recordFigure(serverRecovered, (recoveredMs - startMs) / 1_000);
    await heal?.();
    await untilWhole();
    return recoveredMs;
  };
}

/** Kills a node of a data server, and keeps it ended. Returns what starts it again. */
export function killHeld({ system }: Pick<Context, 'system'>, name: string): () => Promise<unknown> {
  const node = system.node(name);
  const part = system.part(name);
  const { pid } = node;
  part.hold();
  node.kill();
  return () => {
    part.release();
    return node.untilReplaced(pid);
  };
}

/** Records when a data server recovers after the end of the fault. The recovery of the services counts from that instant. */
export function recoversAfterHeal(
  { recordFaultStart, recordFigure }: Pick<Context, 'recordFaultStart' | 'recordFigure'>,
  {
    heal,
    recovered,
    untilWhole,
  }: { heal(): Promise<unknown>; recovered(): Promise<number>; untilWhole?(): Promise<unknown> },
): Heal {
  recordFaultStart();
  return async () => {
    const healedMs = performance.now();
    const replaced = heal();
    const recoveredMs = await recovered();
    recordFigure(serverRecovered, (recoveredMs - healedMs) / 1_000);
    await replaced;
    await untilWhole?.();
    return recoveredMs;
  };
}

/** Suspends nodes of a data server. Returns what resumes them. */
export function suspendNodes({ system }: Pick<Context, 'system'>, names: readonly string[]) {
  for (const name of names) system.node(name).stop();
  return async () => {
    for (const name of names) system.node(name).continue();
  };
}
