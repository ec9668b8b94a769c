import type { Figures } from './checker/figures.ts';
import type { InterruptedScan } from './checker/resumption.ts';
import type { Timeline } from './checker/timeline.ts';
import type { Stage } from './faults/scenario.ts';

/** What a fault told while it was done. */
export interface Told {
  problems: readonly string[];
  figures: Readonly<Figures>;
  interrupted: readonly InterruptedScan[];
  /** Undefined when nothing said that it struck. */
  struckMs: number | undefined;
  times: Pick<Timeline, 'revokeAskedMs' | 'revokedMs' | 'standing'>;
}

/** The stage for one fault, and what it leaves behind. */
export function createStage(parts: Pick<Stage, 'system' | 'customers' | 'clients' | 'random' | 'databases'>): {
  stage: Stage;
  told(): Told;
} {
  const problems: string[] = [];
  const figures: Figures = {};
  let struckMs: number | undefined;
  let revokeAskedMs = Number.POSITIVE_INFINITY;
  let revokedMs = Number.POSITIVE_INFINITY;
  const stage: Stage = {
    ...parts,
    standing: [],
    interrupted: [],
    struck: () => {
      struckMs ??= performance.now();
    },
    get revokeAskedMs() {
      return revokeAskedMs;
    },
    async revoke() {
      revokeAskedMs = performance.now();
      await parts.customers.revoke();
      revokedMs = performance.now();
    },
    problem: (text) => void problems.push(text),
    figure: (name, value) => {
      figures[name] = Math.max(figures[name] ?? 0, value);
    },
  };
  const { standing, interrupted } = stage;
  return {
    stage,
    told: () => ({ problems, figures, interrupted, struckMs, times: { revokeAskedMs, revokedMs, standing } }),
  };
}
