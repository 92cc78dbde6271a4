import type { JsonObject } from '../json.ts'
import type { Documents } from './load-documents.ts'
import type { Resolve } from './resolve.ts'

/** An OpenAPI document of any version, converted to the vocabulary of OpenAPI 3. */
export type Spec = {
  /** Copied from the document: `3.1.0`, `2.0`. */
  readonly version: string
  readonly info: JsonObject
  readonly docsUrl: string | undefined
  readonly servers: readonly unknown[]
  readonly securitySchemes: JsonObject
  readonly security: readonly unknown[]
  readonly operations: readonly Operation[]
  readonly resolve: Resolve
  readonly documents: Documents
}

/** One operation, including the parts that its path declares for all methods. Values inside are not validated. */
export type Operation = {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** `GET /issues/{id}`: identifies an operation even when it has no id. */
  readonly key: string
  readonly id: string | undefined
  readonly tags: readonly string[]
  /** In the vocabulary of OpenAPI 3: `parameters`, `requestBody`, `responses`, `servers`, `security` … */
  readonly value: JsonObject
  /** The reason why it cannot be read; undefined when it can. */
  readonly problem: string | undefined
}
