/** Addresses that no scan may reach, one of each kind of network, and those of metadata services. */
const forbiddenV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
] as const;

const forbiddenV6 = [
  '::',
  '::1',
  '::2',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd12:3456::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '2001:2::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
] as const;

const octets = (address: string) => address.split('.').map(Number) as [number, number, number, number];
const whole = (address: string) => octets(address).reduce((sum, octet) => sum * 256 + octet, 0);
const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const octal = (value: number) => `0${value.toString(8)}`;
/** The last 32 bits of an IPv6 address. */
const groups = (address: string, invert = 0) => {
  const [a, b, c, d] = octets(address).map((octet) => octet ^ invert) as [number, number, number, number];
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
};
const circled = (text: string) =>
  [...text].map((char) =>
    /[1-9]/.test(char) ? String.fromCodePoint(0x245f + Number(char)) : char === '0' ? '⓪' : char,
  );
const fullWidth = (text: string) => [...text].map((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0));

/** Ways to write an IPv4 address as the host of a URL. Browsers and resolvers accept each of them, or a part of them. */
const spellings: Readonly<Record<string, (address: string) => string>> = {
  'the usual spelling': (address) => address,
  'a trailing dot': (address) => `${address}.`,
  'one decimal number': (address) => String(whole(address)),
  'one hexadecimal number': (address) => `0x${hex(whole(address), 8)}`,
  'one octal number': (address) => octal(whole(address)),
  'hexadecimal octets': (address) =>
    octets(address)
      .map((octet) => `0x${hex(octet)}`)
      .join('.'),
  'octal octets': (address) => octets(address).map(octal).join('.'),
  'octets in mixed bases': (address) => {
    const [a, b, c, d] = octets(address);
    return `0x${hex(a)}.${octal(b)}.${c}.0X${hex(d).toUpperCase()}`;
  },
  'two parts': (address) => `${octets(address)[0]}.${whole(address) % 2 ** 24}`,
  'three parts': (address) => `${octets(address).slice(0, 2).join('.')}.${whole(address) % 2 ** 16}`,
  'percent-encoded dots': (address) => address.replaceAll('.', '%2E'),
  'circled digits': (address) => circled(address).join(''),
  'full-width characters': (address) => fullWidth(address).join(''),
  'ideographic full stops': (address) => address.replaceAll('.', '。'),
  'user information before it': (address) => `shop-with-a-name.com@${address}`,
  'a password before it': (address) => `shop-with-a-name.com:443@${address}`,
  'a backslash before a second host': (address) => `${address}\\@shop-with-a-name.com`,
  'an address mapped to IPv6': (address) => `[::ffff:${address}]`,
  'an address mapped to IPv6, in groups': (address) => `[::ffff:${groups(address)}]`,
  'an IPv4-compatible address': (address) => `[::${groups(address)}]`,
  'a translated address (SIIT)': (address) => `[::ffff:0:${groups(address)}]`,
  'a NAT64 address': (address) => `[64:ff9b::${groups(address)}]`,
  'a NAT64 address of a local network': (address) => `[64:ff9b:1::${groups(address)}]`,
  'a 6to4 address': (address) => `[2002:${groups(address)}::1]`,
  'a Teredo address': (address) => `[2001:0:4136:e378:8000:63bf:${groups(address, 0xff)}]`,
};

const names = [
  'localhost',
  'LOCALHOST.',
  'shop.localhost',
  'metadata.google.internal',
  'instance-data.ec2.internal',
  'printer.local',
  'router.lan',
  'wpad.corp',
  'nas.home.arpa',
  'kubernetes.default.svc.cluster.local',
  'intranet',
  'com',
];

const ports = [0, 1, 21, 22, 23, 25, 53, 81, 110, 179, 389, 444, 445, 2_375, 2_379, 3_000, 3_306, 5_432, 5_601, 6_379];
const morePorts = [6_443, 8_000, 8_080, 8_443, 8_500, 9_000, 9_092, 9_200, 10_250, 11_211, 27_017, 50_051, 65_535];

const otherSchemes = [
  'ftp://shop-with-a-name.com/',
  'file:///etc/passwd',
  'gopher://shop-with-a-name.com/',
  'ws://shop-with-a-name.com/',
  'data:text/html,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'blob:http://127.0.0.1/1',
];

export interface HostileTargets {
  kind: string;
  /** Locations of redirects. */
  locations: readonly string[];
}

/** Targets of redirects that lead to what a scan must not reach, by the kind of trick. */
export const hostileTargets: readonly HostileTargets[] = [
  ...Object.entries(spellings).map(([kind, spell]) => ({
    kind,
    locations: forbiddenV4.map((address) => `http://${spell(address)}/`),
  })),
  { kind: 'an IPv6 address', locations: forbiddenV6.map((address) => `http://[${address}]/`) },
  { kind: 'an IPv6 address with a zone', locations: ['http://[fe80::1%25eth0]/', 'http://[fe80::1%25lo]/'] },
  { kind: 'a name of a local network', locations: names.map((name) => `http://${name}/`) },
  {
    kind: 'another port than 80 and 443',
    locations: [...ports, ...morePorts].map((port) => `http://shop-with-a-name.com:${port}/`),
  },
  { kind: 'a public address', locations: ['http://8.8.8.8/', 'https://1.1.1.1/', 'http://[2606:4700::1111]/'] },
  { kind: 'another scheme than http and https', locations: otherSchemes },
];

/** Addresses that a name server may return for the name of a store. */
export const hostileAddresses: readonly string[] = [
  ...forbiddenV4,
  ...forbiddenV6,
  ...forbiddenV4.flatMap((address) => [
    `::ffff:${address}`,
    `64:ff9b::${groups(address)}`,
    `2002:${groups(address)}::1`,
    `2001:0:4136:e378:8000:63bf:${groups(address, 0xff)}`,
  ]),
  'not an address',
];
