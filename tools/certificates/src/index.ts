export { type CertificateAuthority, createAuthority, type IssueOptions, openAuthority, type Pem } from './authority.ts';
export { certificatePaths, type FolderEntry, type FolderOptions, writeCertificates } from './folder.ts';
