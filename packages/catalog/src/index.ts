export { checkCredentials } from './account/check-credentials.ts'
export { connectFields, credentialFields } from './account/fields.ts'
export { fillAccountText, fillAccountUrl } from './account/fill.ts'
export { compilePointer } from './answer/pointer.ts'
export { argumentTags } from './argument-tags.ts'
export { basicToken } from './auth/basic-token.ts'
export { schemeOf } from './auth/scheme-of.ts'
export { loadCatalog, makeCatalog } from './catalog.ts'
export { compileApp, compileAppFile } from './compile-app.ts'
export type { AppFile, BodyType, FunctionFile, PagingFile, RequestFile } from './file/app-file.ts'
export { syntaxProblem } from './file/syntax-problem.ts'
export { versionOf } from './fingerprint.ts'
export { isReservedName } from './is-reserved-name.ts'
export { isUrl } from './is-url.ts'
export { lintFunction } from './models/lint-function.ts'
export { readArguments } from './models/read-arguments.ts'
export { type ToolFormat, toolFormats, toolOf } from './models/tool-of.ts'
export { objectOf } from './object-of.ts'
export { CatalogError } from './problems.ts'
export { compileSoundApp, compileSoundAppFile, type SoundApp } from './quarantine/compile-sound-app.ts'
export { loadSoundCatalog } from './quarantine/load-sound-catalog.ts'
export type {
  App,
  AppFunction,
  AuthorizationCodeScheme,
  BuiltRequest,
  Catalog,
  ClientCredentialsScheme,
  CredentialField,
  Credentials,
  Cursor,
  FileContent,
  FunctionType,
  Identity,
  JwtBearerScheme,
  OAuthScheme,
  OnwardRequest,
  ParameterSchema,
  Parameters,
  Quarantined,
  RateLimit,
  Scheme,
  Source,
  ValueSchema,
} from './types.ts'
export { onlyTag, VARIABLE_TAG, valueAt } from './variable-tags.ts'
