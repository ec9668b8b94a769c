import type { Deadline } from '@shopscope/async';
import type { Origin } from '@shopscope/telemetry';
import type { Caller } from '../keys/caller.ts';

/** A caller's request for data of its own workspace. */
export interface CallerRequest {
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
}
