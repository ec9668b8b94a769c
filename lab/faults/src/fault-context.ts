import type { Figures } from './checker/figures.ts';
import type { FaultContext } from './faults/scenario.ts';

/** Creates the context of one run of a scenario. `outcome` returns what the scenario has recorded in it. */
export function createFaultContext(
  parts: Pick<FaultContext, 'system' | 'customers' | 'clients' | 'random' | 'databases'>,
) {
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
      /** Undefined if the scenario did not call `recordFaultStart`. */
      faultStartMs,
      times: { revokeRequestedMs, revokedMs, suspensions, neighbourWindows, mcpMessages },
    }),
  };
}
