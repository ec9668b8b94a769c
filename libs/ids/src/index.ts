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
export {
  createPermitSigner,
  createPermitVerifier,
  developmentPublicKeys,
  developmentSigningKey,
  isDevelopmentKey,
  type PermitFault,
  type PermitPrincipal,
  type PermitPublicKey,
  type PermitSigningKey,
  type PermittedObservation,
  parsePublicKeys,
  parseSigningKey,
  permitPrincipals,
  publicKeyEntry,
  type SignPermit,
  type VerifiedPermit,
  type VerifyPermit,
} from './permit.ts';
