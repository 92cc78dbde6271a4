export { loadCatalog, makeCatalog } from './catalog.ts'
export { compileApp } from './compile-app.ts'
export { checkCredentials, credentialFields } from './credentials.ts'
export { CatalogError } from './problems.ts'
export type {
  App,
  AppFunction,
  Auth,
  BuiltRequest,
  Catalog,
  CredentialField,
  Credentials,
  Cursor,
  FunctionType,
  OnwardRequest,
  ParameterSchema,
  Parameters,
  Source,
  ValueSchema,
} from './types.ts'
