import { ConfigError } from '@shopscope/config';

/** EX_CONFIG of sysexits.h: a restart would end the same way. */
export const configErrorCode = 78;

/** Ends the process with {@link configErrorCode} and all problems if the settings are invalid. */
export function loadOrExit<Config>(name: string, load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(configErrorCode);
  }
}
