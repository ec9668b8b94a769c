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
