/**
 * The maximum number of deliveries of an event that has no other event to compare with. These deliveries take minutes, because the consumer
 * pauses between them.
 */
const maxDeliveriesAlone = 10;

export type DeliveryCounts = ReturnType<typeof createDeliveryCounts>;

/** Counts the deliveries of one event per partition, in memory. The count begins again with each other event. */
export function createDeliveryCounts() {
  const deliveries = new Map<string, { offset: string; count: number }>();
  return {
    /**
     * Counts a delivery of an event that has no other event to compare with. Returns whether the event has had more than
     * {@link maxDeliveriesAlone} deliveries.
     */
    countDelivery({ topic, partition }: { topic: string; partition: number }, { offset }: { offset: string }): boolean {
      const name = `${topic}/${partition}`;
      const before = deliveries.get(name);
      const count = before?.offset === offset ? before.count + 1 : 1;
      deliveries.set(name, { offset, count });
      return count > maxDeliveriesAlone;
    },
  };
}
