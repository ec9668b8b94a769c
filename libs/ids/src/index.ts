export {
  apiKeyDigest,
  type KeyEnvironment,
  keyTags,
  newApiKey,
  type ParsedApiKey,
  parseApiKey,
  redactApiKeys,
} from './api-key.ts';
export { base32, deriveId, type IdPrefix, idPrefixes, newId, newTraceparent } from './id.ts';
