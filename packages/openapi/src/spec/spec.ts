import type { Documents } from '../documents/load-documents.ts'
import type { Resolve } from '../documents/make-resolver.ts'
import type { JsonObject } from '../json.ts'

/** An OpenAPI document of any version, in the words of OpenAPI 3. */
export type Spec = {
  /** As the document writes it: `3.1.0`, `2.0`. */
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

/** One operation; what stands at its path for all methods is in it. Whatever it holds is still as the document has it. */
export type Operation = {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** `GET /issues/{id}`: what names an operation, whatever its id. */
  readonly key: string
  readonly id: string | undefined
  readonly tags: readonly string[]
  /** In the words of OpenAPI 3: `parameters`, `requestBody`, `responses`, `servers`, `security` … */
  readonly value: JsonObject
  /** Why it can't be read, if it can't. */
  readonly problem: string | undefined
}
