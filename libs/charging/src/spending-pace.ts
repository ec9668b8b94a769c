/** Earlier requests count e times less after this time. */
const averageMs = 4_000;
/** The weight of too short a time counts as this much, so that two charges in a row do not look like many per second. */
const minWeight = 0.5;

/** How many units of its leases a workspace spends per time, of one billing unit: a moving average. */
export class SpendingPace {
  #perMs = 0;
  #chargesPerMs = 0;
  #weight = 0;
  #untilMs: number | undefined;

  /** These charges spent these units since the last call. The first call begins the time. */
  add(units: number, charges: number, monotonicMs: number): void {
    if (this.#untilMs !== undefined) {
      const elapsedMs = Math.max(1, monotonicMs - this.#untilMs);
      const kept = Math.exp(-elapsedMs / averageMs);
      this.#perMs = this.#perMs * kept + (units / elapsedMs) * (1 - kept);
      this.#chargesPerMs = this.#chargesPerMs * kept + (charges / elapsedMs) * (1 - kept);
      this.#weight = this.#weight * kept + (1 - kept);
    }
    this.#untilMs = monotonicMs;
  }

  /** Units of the charges that are expected within a time: a part of a charge is not expected. */
  expected(ms: number): number {
    const charges = Math.floor((this.#chargesPerMs / Math.max(minWeight, this.#weight)) * ms);
    return charges === 0 ? 0 : Math.round((charges * this.#perMs) / this.#chargesPerMs);
  }
}
