/** A job that waits for a turn, with its latest turn. */
export interface Waiting {
  ref: { workspaceId: string };
  turnAt: Date;
}

/**
 * Orders jobs so that workspaces take turns, and the jobs of each workspace do, too. The workspace whose latest turn is the oldest comes
 * first, with the job whose latest turn is the oldest. Every workspace comes once before any comes twice.
 */
export function fairOrder<Job extends Waiting>(jobs: readonly Job[]): Job[] {
  const byTurn = [...jobs].sort((a, b) => a.turnAt.getTime() - b.turnAt.getTime());
  const workspaces = [...Map.groupBy(byTurn, ({ ref }) => ref.workspaceId).values()];
  const latest = (own: readonly Job[]) => own.at(-1)?.turnAt.getTime() ?? 0;
  workspaces.sort((a, b) => latest(a) - latest(b));
  const rounds = workspaces.reduce((most, own) => Math.max(most, own.length), 0);
  return Array.from({ length: rounds }, (_, round) => workspaces.flatMap((own) => own.slice(round, round + 1))).flat();
}
