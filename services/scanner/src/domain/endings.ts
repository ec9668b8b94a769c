/** The scan is another scanner's now, or nobody's: whatever was seen is not published. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease was lost');
    this.name = 'LeaseLost';
  }
}

/** The process is about to end, and the scan with it. */
export class ScannerStopping extends Error {
  constructor() {
    super('the scanner is stopping');
    this.name = 'ScannerStopping';
  }
}
