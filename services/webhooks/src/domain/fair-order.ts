interface Waiting {
  ref: { workspaceId: string };
  turnAt: Date;
}

/** Orders queues so that workspaces take turns: every workspace comes once before any comes twice, each with its longest waiting queue. */
export function fairOrder<Queue extends Waiting>(queues: readonly Queue[]): Queue[] {
  const byTime = queues.toSorted((a, b) => a.turnAt.getTime() - b.turnAt.getTime());
  const workspaces = [...Map.groupBy(byTime, ({ ref }) => ref.workspaceId).values()];
  const rounds = workspaces.reduce((most, own) => Math.max(most, own.length), 0);
  return Array.from({ length: rounds }, (_, round) => workspaces.flatMap((own) => own.slice(round, round + 1))).flat();
}
