import type { Scheme } from './scheme.ts'

export type { AuthorizationCodeScheme, ClientCredentialsScheme, JwtBearerScheme, OAuthScheme, Scheme } from './scheme.ts'

export type FunctionType = 'QUERY' | 'ACTION' | 'PASSTHROUGH'

/** The shape that is natural for the app: its own cursor text, a page or offset number, or several values by request parameter. */
export type Cursor = string | number | Record<string, unknown>

/** What a connected account holds, flat: the auth kind's secret fields and the app's own settings. */
export type Credentials = Readonly<Record<string, string>>

/** Ready to send. Header names are lower case; `body` is already serialised and its content-type is among the headers. */
export type OnwardRequest = { method: string; url: string; headers: Record<string, string>; body?: string | Uint8Array }

/** A file that a call sends, once its bytes are there. */
export type FileContent = { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array }

/** `problems` are `"<field path>: <what is wrong>"` and never hold a value of the caller's or of the account's. */
export type BuiltRequest = { request: OnwardRequest } | { problems: string[] }

/** The JSON Schema that a value inside a parameter may have: one type, no `$ref`, no `anyOf`. */
export type ValueSchema = {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly (string | number | boolean)[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly items?: ValueSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ValueSchema
}

export type ParameterSchema = ValueSchema & { readonly description: string }

export type Parameters = {
  type: 'object'
  properties: Record<string, ParameterSchema>
  required: string[]
  additionalProperties?: boolean
}

/**
 * Where a parameter's values come from: `value` and `label` are JSON Pointers into one item of that function's output. `arguments` is what
 * the source is called with; a `{name}` in it stands for a parameter of the function that uses the source.
 */
export type Source = {
  readonly function: string
  readonly value: string
  readonly label: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** One field that connecting an account takes. `kind` follows from where base_url uses it: a whole URL, a part of the host, or any text. */
export type CredentialField = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly secret: boolean
  readonly required: boolean
  readonly kind: 'text' | 'lines' | 'url' | 'host_part'
  /** Of a setting that only the token requests of some schemes name: those schemes' types. Other accounts go without it. */
  readonly only?: readonly Scheme['type'][]
  readonly pattern?: string
}

/** The function that tells whose account it is; `id` and `name` are JSON Pointers into its output. */
export type Identity = {
  readonly function: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly id?: string
  readonly name: string
}

/** Response headers that say how much of a rate limit is left and when it begins anew; names in lower case. */
export type RateLimit = { readonly remaining?: string; readonly reset?: string; readonly unit: 'seconds' | 'epoch_seconds' | 'epoch_ms' }

export type App = {
  /** Stable over restarts: made from the name. */
  readonly id: number
  readonly name: string
  readonly title: string
  readonly description: string
  readonly icon_url: string
  readonly docs_url: string
  readonly schemes: readonly Scheme[]
  /** The non-secret fields of an account. */
  readonly accountSettings: readonly CredentialField[]
  /** False when there is nothing to connect: no authentication and no settings. */
  readonly needsAccount: boolean
  readonly identity: Identity | null
  readonly rateLimit: RateLimit | null
  /** By name. */
  readonly functions: readonly AppFunction[]
}

export type AppFunction = {
  readonly id: number
  /** `<app>-<verb-phrase>` */
  readonly name: string
  readonly app: App
  readonly title: string
  readonly description: string
  readonly type: FunctionType
  readonly parameters: Parameters
  /** By parameter. */
  readonly sources: Readonly<Record<string, Source>>
  readonly examples: readonly string[]
  /** 12 hex digits that change when anything changes that the function does or shows. */
  readonly version: string
  readonly paged: boolean
  /** The parameters that are files. A caller gives `{url}` or `{base64}`, with `name` and `content_type`; `request` takes their bytes. */
  readonly files: readonly string[]
  /** Whether the onward request may be sent again when the app says to come back; only a QUERY is. */
  readonly safeToRetry: boolean
  /** Problems with a cursor's shape for this function; [] when it fits. Of a function without pages every cursor is a problem. */
  checkCursor(cursor: Cursor): string[]
  /**
   * The onward request, or the problems that only show when it is built. `args` are already valid against `parameters`;
   * a parameter that is absent takes its default.
   */
  request(
    args: Readonly<Record<string, unknown>>,
    credentials: Credentials,
    cursor: Cursor | null,
    files?: Readonly<Record<string, FileContent>>,
  ): BuiltRequest
  /**
   * Reads the onward answer's JSON body (or text). `cursor` is the one that `request` was given. In the result it is the next
   * page's: null = no more, undefined = not paged. Outside 2xx the output is the whole body. `headers` are the answer's, under lower-case
   * names. The account's `credentials` tell whether a next page's full URL is on its own server; without them such a URL is not followed
   * where base_url names a setting.
   */
  answer(
    status: number,
    body: unknown,
    cursor: Cursor | null,
    headers?: Readonly<Record<string, string>>,
    credentials?: Credentials,
  ): { output: unknown; cursor: Cursor | null | undefined }
}

/** What was left out of a catalog, and why: a function, under its full name, or with null the whole app. */
export type Quarantined = { readonly app: string; readonly function: string | null; readonly problems: readonly string[] }

export type Catalog = {
  /** By name. */
  readonly apps: readonly App[]
  /** By name. */
  readonly functions: readonly AppFunction[]
  app(name: string): App | undefined
  fn(name: string): AppFunction | undefined
  /** Empty where what is broken throws. */
  readonly quarantined: readonly Quarantined[]
}
