import type { CallerPlan } from '../../keys/caller.ts';

export interface Quotas {
  lists: number;
  listStores: number;
}

/** Those of the plan free. They apply to every plan until plans have quotas (`plan.quotas`). */
const freeQuotas: Quotas = { lists: 3, listStores: 1_000 };

export const quotasOf = (_plan: CallerPlan): Quotas => freeQuotas;
