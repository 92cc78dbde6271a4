// What packages/lab uses to compare app files with vendors' documents, beside the importer itself.

export { type Documents, loadDocuments } from './documents/load-documents.ts'
export { readSpec } from './documents/read-spec.ts'
export type { Operation, Spec } from './documents/spec.ts'
export { readResponse } from './function/read-response.ts'
export { isObject, type JsonObject, listAt, member, objectAt, textAt } from './json.ts'
export { type Flat, type JsonType, readKeywords, typeOfValue } from './schema/flat.ts'
export { flatten, type Schemas } from './schema/flatten.ts'
export { compareTexts } from './text.ts'
