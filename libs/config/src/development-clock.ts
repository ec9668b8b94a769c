import { isProduction, type Rule } from './rules.ts';
import { flag } from './values.ts';

export const developmentClockSettings = {
  /** Whether programs on this machine may move the time of the service. Only for development and test. */
  DEVELOPMENT_CLOCK: flag().default(false),
};

/** Time determines what is billed and what has expired, so it must not be moved in production, which is the default of SHOPSCOPE_ENV. */
export const developmentClockRule: Rule = (given) =>
  given.DEVELOPMENT_CLOCK === 'true' && isProduction(given)
    ? ['DEVELOPMENT_CLOCK: time may be moved only where SHOPSCOPE_ENV is development or test']
    : [];
