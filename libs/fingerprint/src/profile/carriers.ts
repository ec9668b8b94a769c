import carriers from '../data/carriers.rules.json' with { type: 'json' };
import paymentMeans from '../data/payment-means.rules.json' with { type: 'json' };
import countriesOfPlatforms from '../data/platform-countries.rules.json' with { type: 'json' };
import hosts from '../data/service-hosts.rules.json' with { type: 'json' };
import { type CountryMark, marksOf } from './country-mark.ts';

/** Companies and platforms of one country; see the tables in `data/geography`. */
export const carrierMarks: readonly CountryMark[] = marksOf(carriers);

export const paymentMarks: readonly CountryMark[] = marksOf(paymentMeans);

/** The form reads one host per line. */
export const serviceHosts: readonly CountryMark[] = marksOf(hosts);

/** By the slug of the platform. */
export const platformCountries: Readonly<Record<string, string>> = countriesOfPlatforms;
