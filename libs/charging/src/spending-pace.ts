/** After this time, earlier requests count e times less. */
const averageMs = 4_000;
/** A weight of too short a time is raised to this value. Otherwise two charges in a row would look like many per second. */
const minWeight = 0.5;

/** The rate at which a workspace spends leased units of one billing unit: a moving average. */
export class SpendingPace {
  #perMs = 0;
  #chargesPerMs = 0;
  #weight = 0;
  #untilMs: number | undefined;

  /** Adds charges and the units that they spent since the last call. The first call begins the time. */
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

  /** Returns the units of the charges that are expected within a time. A part of a charge is not expected. */
  expected(ms: number): number {
    const charges = Math.floor((this.#chargesPerMs / Math.max(minWeight, this.#weight)) * ms);
    return charges === 0 ? 0 : Math.round((charges * this.#perMs) / this.#chargesPerMs);
  }
}
