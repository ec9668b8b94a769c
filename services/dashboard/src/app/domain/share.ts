/** What a person, a workspace, a network address or a kind of work may take of one instance. */
export interface Share {
  /** Who and of what kind, for example `person usr_1`. */
  key: string;
  /** In words for the refusal: "your account". Undefined: it is shared by all callers, so no caller is at fault. */
  whose?: string;
  bounds: ShareBounds;
}

/** A bound that is absent is infinite. */
export interface ShareBounds {
  /** Requests per second in the long run, and how many may come at once after a pause. */
  perSecond?: number;
  burst?: number;
  /** Requests that have begun and not ended. */
  atOnce?: number;
  running?: number;
  /** Requests that wait for room. */
  waiting?: number;
}

/** A request as a queue takes it. */
export interface QueuedRequest {
  /** Requests of one turn wait for each other. Turns alternate. */
  turn: string;
  shares: readonly Share[];
  /** No person, workspace or API key that is known sends it. Strangers can have any number of network addresses. */
  isStranger?: boolean;
  /** What the request takes of the rates of its shares; 1 by default. */
  cost?: number;
}

/** A rate of which the amount of some seconds may come at once after a pause. */
export const pace = (perMinute: number, { burstSeconds }: { burstSeconds: number }) => ({
  perSecond: perMinute / 60,
  burst: Math.max(1, (perMinute * burstSeconds) / 60),
});
