/** The part of one instance that a person, a workspace, a network address or a kind of work may use. */
export interface Share {
  /** The kind and the id of the owner, for example `person usr_1`. */
  key: string;
  /**
   * The name of the owner in a refusal: "your account". Undefined if all callers share it, so that no caller is named.
   */
  whose?: string;
  bounds: ShareBounds;
}

/** An absent bound is infinite. */
export interface ShareBounds {
  /** Requests per second on average, and the number that may come at the same time after a pause. */
  perSecond?: number;
  burst?: number;
  /** The number of requests that have begun and not ended. */
  atOnce?: number;
  running?: number;
  /** The number of requests that wait for room. */
  waiting?: number;
}

/** A request, in the form that a queue takes. */
export interface QueuedRequest {
  /** Requests of one turn wait for each other. Different turns alternate. */
  turn: string;
  shares: readonly Share[];
  /** Whether the sender is not a known person, workspace or API key. Strangers can have any number of network addresses. */
  isStranger?: boolean;
  /** The units that the request takes from the rates of its shares. Default: 1. */
  cost?: number;
}

/** A rate. After a pause, the requests of `burstSeconds` may come at the same time. */
export const pace = (perMinute: number, { burstSeconds }: { burstSeconds: number }) => ({
  perSecond: perMinute / 60,
  burst: Math.max(1, (perMinute * burstSeconds) / 60),
});
