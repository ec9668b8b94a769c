/** What is known about the rescans of a watchlist. */
export interface RescanFacts {
  stores: number;
  /** The budget of the watchlist in a month. Null if there is none. */
  budget: number | null;
  /** The units of the plan in a month. */
  included: number;
  /** No interval may be shorter. */
  freshnessDays: number;
}

export interface RescanPlan {
  /** The units that rescans may spend in a month. */
  units: number;
  /** The stores that these units rescan. */
  reached: number;
  /** The number of months in which all stores are rescanned. Undefined if a month has no units. */
  months: number | undefined;
  /** The shortest interval whose rescans fit into each month. Undefined if no interval fits. */
  fittingDays: number | undefined;
}

/** The longest month, so that a proposed interval fits into every month. */
const daysOfMonth = 31;
/** The bound of the API. */
const maxDays = 3_650;

/** The units that a month of rescans costs. */
export const unitsPerMonth = (stores: number, days: number): number => Math.ceil((stores * daysOfMonth) / days);

export function rescanPlanOf({ stores, budget, included, freshnessDays }: RescanFacts): RescanPlan {
  const units = Math.min(included, budget ?? Number.POSITIVE_INFINITY);
  const days = Math.max(1, freshnessDays, Math.ceil((stores * daysOfMonth) / units));
  return {
    units,
    reached: Math.min(stores, units),
    months: units === 0 ? undefined : Math.ceil(stores / units),
    fittingDays: days <= maxDays ? days : undefined,
  };
}
