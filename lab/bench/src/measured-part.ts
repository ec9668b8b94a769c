/** The clock ends when this share of the events is recorded. */
const measuredShare = 0.9;

export interface MeasuredPart<Sample> {
  /** Events that were recorded between the samples. */
  events: number;
  ms: number;
  from: Sample;
  to: Sample;
}

/**
 * The part of a consumption that is measured: from the first recorded events until 90 % of all events. It excludes the start
 * of the consumer, and the last fetch, which waits until the broker has gathered events that never come.
 */
export function createMeasuredPart<Sample extends { atMs: number }>(events: number) {
  let first: { recorded: number; sample: Sample } | undefined;
  let part: MeasuredPart<Sample> | undefined;
  return {
    /** Call it with the number of recorded events, again and again. It takes a sample where the part begins and ends. */
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
    /** Throws when one batch had too many of the events to measure a rate. */
    result(): MeasuredPart<Sample> {
      if (part && first && first.recorded < events * measuredShare) return part;
      throw new Error(`the first batch had 90 % of ${events} events; set BENCH_EVENTS to more`);
    },
  };
}
