/** The measured part ends when this share of the events is recorded. */
const measuredShare = 0.9;

export interface MeasuredPart<Sample> {
  /** The number of events that were recorded between the samples `from` and `to`. */
  events: number;
  ms: number;
  from: Sample;
  to: Sample;
}

/**
 * The part of a run of a consumer in which its rate is measured: from the first recorded events until 90 % of all events are recorded.
 *
 * - The start of the consumer is excluded.
 * - The last fetch is excluded. The broker delays its response, because it waits for further events, and there are none.
 */
export function createMeasuredPart<Sample extends { atMs: number }>(events: number) {
  let first: { recorded: number; sample: Sample } | undefined;
  let part: MeasuredPart<Sample> | undefined;
  return {
    /** Call it repeatedly with the number of events recorded so far. It takes one sample at the start of the part and one at its end. */
    observe(recorded: number, take: () => Sample): void {
      if (recorded === 0 || part) return;
      if (!first) {
        first = { recorded, sample: take() };
        return;
      }
      if (recorded < events * measuredShare || recorded === first.recorded) return;
      const to = take();
      const from = first.sample;
      part = { events: recorded - first.recorded, ms: to.atMs - from.atMs, from, to };
    },
    /** Throws if the first batch had 90 % of the events or more, because no rate can then be measured. */
    result(): MeasuredPart<Sample> {
      if (part && first && first.recorded < events * measuredShare) return part;
      throw new Error(`the first batch had 90 % of ${events} events; set BENCH_EVENTS to more`);
    },
  };
}
