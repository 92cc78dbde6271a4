export { connectFields, credentialFields, withDefaults } from './auth/account-fields.ts'
export { fillAccountText, fillAccountUrl } from './auth/account-url.ts'
export { checkCredentials } from './auth/check-credentials.ts'
export { type TokenNames, tokenNames } from './auth/oauth-schemes.ts'
export { requestedScopes } from './auth/requested-scopes.ts'
export { basicToken, schemeOf } from './auth/schemes.ts'
export { loadCatalog, loadSoundCatalog, makeCatalog } from './catalog.ts'
export { checkAppFiles } from './checked-files.ts'
export { compileApp, compileAppFile } from './compile-app.ts'
export { compileSoundApp, compileSoundAppFile, type SoundApp } from './compile-sound-app.ts'
export { type Conformance, fingerprintFunction, readConformance } from './conformance.ts'
export type { AppFile, BodyType, FunctionFile, PagingFile, RequestFile } from './file/app-file.ts'
export { syntaxProblem } from './file/read-yaml.ts'
export { lintFiles } from './lint-files.ts'
export { lintFunction } from './models/lint-function.ts'
export { readArguments } from './models/read-arguments.ts'
export { CURSOR_PARAMETER, TOOL_FORMATS, type ToolFormat, toolOf } from './models/tool-of.ts'
export { type PhrasingsOfApps, readPhrasings } from './phrasings.ts'
export { CatalogError } from './problems.ts'
export { type CatalogSummary, proofOf, summariseCatalog } from './summary.ts'
export { isHeaderName } from './template/header-text.ts'
export type {
  Alternative,
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
  FileContents,
  JwtBearerScheme,
  OAuthScheme,
  OnwardRequest,
  OutputSchema,
  ParameterSchema,
  Parameters,
  RateLimit,
  RejectedFunction,
  Scheme,
  SettingRequest,
  Source,
  ValueSchema,
} from './types.ts'
export { versionOf } from './values/fingerprint.ts'
export { compilePointer } from './values/json-pointer.ts'
export { type JsonSchema, jsonSchemaOf, jsonSchemaOfOutput } from './values/json-schema.ts'
export { isLinearPattern, linearRegExp } from './values/linear-pattern.ts'
export { isReservedName, isUrl } from './values/names.ts'
export { objectOf, sortKeys } from './values/objects.ts'
export { argumentTags, onlyTag, VARIABLE_TAG, valueAt } from './values/tags.ts'
