/** Addresses that stand in the files: of a local system, and of the contract's examples. */
const written = /http:\/\/127\.0\.0\.1:(?:8080|8090)|https:\/\/api\.shopscope\.example/g;

export interface Addresses {
  publicApiUrl: string;
  dashboardUrl: string;
}

/** The text with the addresses of an installation in the place of those that stand in the files. */
export const withAddresses = (text: string, { publicApiUrl, dashboardUrl }: Addresses): string =>
  text.replaceAll(written, (address) => (address.endsWith(':8090') ? dashboardUrl : publicApiUrl));
