/** A signal of a store, with the workspaces that must have its event, and those that may have it. */
interface Published {
  domain: string;
  /** Whether the consumer and the fan-outs have handled it. Later changes of watchlists do not affect it. */
  isSettled: boolean;
  must: Set<string>;
  may: Set<string>;
}

interface Watchlist {
  workspaceId: string;
  isPaused: boolean;
  /** How often it was paused. */
  pauses: number;
  domains: Set<string>;
}

/**
 * A plain model of the events of workspaces: the published facts, and the watchers of the store of a signal at its
 * publication. A watchlist may change while signals are in flight. Their events may then exist for the watchers from
 * before or after the change.
 */
export function createModel() {
  const watchlists = new Map<string, Watchlist>();
  const signals = new Map<string, Published>();
  /** Facts of one workspace. */
  const facts = new Map<string, string>();
  const deleted = new Set<string>();

  const watchersOf = (domain: string) =>
    new Set(
      [...watchlists.values()].flatMap(({ workspaceId, isPaused, domains }) =>
        !isPaused && domains.has(domain) ? [workspaceId] : [],
      ),
    );
  /** Call it after each change of watchlists. */
  const reconsider = () => {
    for (const signal of signals.values()) {
      if (signal.isSettled) continue;
      const watchers = watchersOf(signal.domain);
      signal.must = signal.must.intersection(watchers);
      signal.may = signal.may.union(watchers);
    }
  };

  return {
    watchlists,
    create(id: string, workspaceId: string) {
      watchlists.set(id, { workspaceId, isPaused: false, pauses: 0, domains: new Set() });
    },
    change(id: string, change: (watchlist: Watchlist) => void) {
      const watchlist = watchlists.get(id);
      if (watchlist) change(watchlist);
      reconsider();
    },
    deleteWatchlist(id: string) {
      watchlists.delete(id);
      reconsider();
    },
    deleteWorkspace(workspaceId: string) {
      deleted.add(workspaceId);
      for (const [id, watchlist] of watchlists) if (watchlist.workspaceId === workspaceId) watchlists.delete(id);
      reconsider();
    },
    tellSignal(id: string, domain: string) {
      const watchers = watchersOf(domain);
      signals.set(id, { domain, isSettled: false, must: watchers, may: watchers });
    },
    /** A fact of one workspace, with exactly one event. */
    tellFact(id: string, workspaceId: string) {
      facts.set(id, workspaceId);
    },
    settle() {
      for (const signal of signals.values()) signal.isSettled = true;
    },
    /** Every fact is published again. The current watchers may get the event of an old signal. */
    replay() {
      for (const signal of signals.values()) {
        signal.isSettled = false;
        signal.may = signal.may.union(watchersOf(signal.domain));
      }
    },
    isDeleted: (workspaceId: string) => deleted.has(workspaceId),
    /** The facts of which the workspace must have an event, and those of which it may have one. */
    expected(workspaceId: string): { must: Set<string>; may: Set<string> } {
      if (deleted.has(workspaceId)) return { must: new Set(), may: new Set() };
      const own = [...facts].flatMap(([id, owner]) => (owner === workspaceId ? [id] : []));
      const having = (kind: 'must' | 'may') =>
        [...signals].flatMap(([id, signal]) => (signal[kind].has(workspaceId) ? [id] : []));
      return { must: new Set([...own, ...having('must')]), may: new Set([...own, ...having('may')]) };
    },
  };
}
