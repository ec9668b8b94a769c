/** Addresses in the files: those of a local system, and those of the contract's examples. */
const written = /http:\/\/127\.0\.0\.1:(?:8080|8090)|https:\/\/api\.shopscope\.example/g;

export interface Addresses {
  publicApiUrl: string;
  dashboardUrl: string;
}

/** Replaces the addresses in the files by those of an installation. */
export const withAddresses = (text: string, { publicApiUrl, dashboardUrl }: Addresses): string =>
  text.replaceAll(written, (address) => (address.endsWith(':8090') ? dashboardUrl : publicApiUrl));
