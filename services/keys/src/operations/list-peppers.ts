import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';

export interface PepperUse {
  id: string;
  state: 'current' | 'retiring' | 'missing';
  usableKeys: number;
}

/** Returns the configured peppers in their order, then peppers that are not configured although keys are stored under them. */
export async function listPeppers(
  deps: Pick<Dependencies, 'clock' | 'keys' | 'peppers'>,
  context: Pick<CallContext, 'deadline'>,
): Promise<PepperUse[]> {
  const counts = await deps.keys.countUsableByPepper(new Date(deps.clock.now()), context.deadline.timeoutMs());
  const configured = deps.peppers.map(({ id }, index): PepperUse => {
    return { id, state: index === 0 ? 'current' : 'retiring', usableKeys: counts.get(id) ?? 0 };
  });
  const missing = [...counts]
    .filter(([id]) => !deps.peppers.some((pepper) => pepper.id === id))
    .map(([id, usableKeys]): PepperUse => ({ id, state: 'missing', usableKeys }));
  return [...configured, ...missing.sort((a, b) => (a.id < b.id ? -1 : 1))];
}
