import type { crashMoments } from './crash-moments.ts';

export type CrashMoment = (typeof crashMoments)[number]['when'];

/** A process that is killed before or after its call number `n` of the objects that `guard` returns. Every later call fails, too. */
export function killedAtCall(n: number, moment: CrashMoment) {
  let calls = 0;
  let isKilled = false;
  const kill = (): never => {
    isKilled = true;
    throw new Error('killed');
  };
  return {
    kill,
    wasKilled: () => isKilled,
    guard: <T extends object>(target: T): T =>
      new Proxy(target, {
        get(_, name) {
          const value = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            if (isKilled) kill();
            calls += 1;
            const own = calls;
            if (own === n && moment === 'before') kill();
            const result = await value.apply(target, args);
            if (isKilled || (own === n && moment === 'after')) kill();
            return result;
          };
        },
      }),
  };
}
