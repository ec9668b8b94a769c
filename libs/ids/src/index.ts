export {
  apiKeyDigest,
  type KeyEnvironment,
  keyTags,
  newApiKey,
  type ParsedApiKey,
  parseApiKey,
  withoutKeySecrets,
} from './api-key.ts';
export { deriveId, type IdPrefix, idPrefixes, newId, newTraceparent } from './id.ts';
