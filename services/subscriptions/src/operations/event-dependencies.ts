import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { ReadInOrder } from '../outbound/mongo/reads.ts';
import type { Stores } from '../outbound/mongo/stores.ts';
import type { AppendDependencies, EventAppends } from './append-events.ts';
import type { EventWaits } from './event-waits.ts';

/** What the operations on events of one environment use. */
export interface EventDependencies<E extends Environment> extends AppendDependencies<E> {
  clock: Clock;
  appends: EventAppends<E>;
  waits: EventWaits<E>;
  readInOrder: ReadInOrder;
  watchlists: Stores<E>['watchlists'];
}

/** What the fan-out of signals uses. */
export interface FanOutDependencies<E extends Environment>
  extends Pick<EventDependencies<E>, 'environment' | 'clock' | 'appends'>,
    Pick<Stores<E>, 'watchlists' | 'watchers' | 'fanOuts'> {}
