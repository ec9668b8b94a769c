/** This scanner no longer holds the lease. The result of the scan is not published. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease was lost');
    this.name = 'LeaseLostError';
  }
}

/** The process is stopping, so the scan ends. */
export class ScannerStoppingError extends Error {
  constructor() {
    super('the scanner is stopping');
    this.name = 'ScannerStoppingError';
  }
}

/** A target of the visit has no capacity for it now. The scan is repeated and loses no attempt. */
export class PutOffError extends Error {
  readonly releasedAs = 'put_off';

  constructor() {
    super('a target of the visit has no capacity');
    this.name = 'PutOffError';
  }
}

/** An operator has forbidden visits of the store, or of a site to which it leads. The scan ends without an observation. */
export class OptedOutError extends Error {
  readonly releasedAs = 'opted_out';

  constructor() {
    super('a target of the visit is opted out');
    this.name = 'OptedOutError';
  }
}
