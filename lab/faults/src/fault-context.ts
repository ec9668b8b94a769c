import type { Figures } from './checker/figures.ts';
import type { ScanInProgress } from './checker/resumption.ts';
import type { Timeline } from './checker/timeline.ts';
import type { FaultContext } from './faults/scenario.ts';

/** What a scenario recorded while it ran. */
export interface FaultOutcome {
  problems: readonly string[];
  billingProblems: readonly string[];
  figures: Readonly<Figures>;
  scansInProgress: readonly ScanInProgress[];
  /** Undefined when the scenario did not call `recordFaultStart`. */
  faultStartMs: number | undefined;
  times: Pick<Timeline, 'revokeRequestedMs' | 'revokedMs' | 'suspensions' | 'neighbourWindows' | 'mcpMessages'>;
}

/** The context of one run of a scenario, and the outcome that the scenario recorded in it. */
export function createFaultContext(
  parts: Pick<FaultContext, 'system' | 'customers' | 'clients' | 'random' | 'databases'>,
): {
  context: FaultContext;
  outcome(): FaultOutcome;
} {
  const problems: string[] = [];
  const figures: Figures = {};
  let faultStartMs: number | undefined;
  let revokeRequestedMs = Number.POSITIVE_INFINITY;
  let revokedMs = Number.POSITIVE_INFINITY;
  const context: FaultContext = {
    ...parts,
    suspensions: [],
    neighbourWindows: [],
    mcpMessages: [],
    scansInProgress: [],
    billingProblems: [],
    recordFaultStart: () => {
      faultStartMs ??= performance.now();
    },
    get revokeRequestedMs() {
      return revokeRequestedMs;
    },
    async revoke() {
      revokeRequestedMs = performance.now();
      await parts.customers.revoke();
      revokedMs = performance.now();
    },
    recordProblem: (text) => void problems.push(text),
    recordFigure: (name, value) => {
      figures[name] = Math.max(figures[name] ?? 0, value);
    },
  };
  const { suspensions, neighbourWindows, mcpMessages, scansInProgress, billingProblems } = context;
  return {
    context,
    outcome: () => ({
      problems,
      billingProblems,
      figures,
      scansInProgress,
      faultStartMs,
      times: { revokeRequestedMs, revokedMs, suspensions, neighbourWindows, mcpMessages },
    }),
  };
}
