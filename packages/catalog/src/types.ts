import type { Scheme } from './auth/scheme.ts'

export type {
  AuthorizationCodeScheme,
  ClientCredentialsScheme,
  JwtBearerScheme,
  OAuthScheme,
  Scheme,
  SettingRequest,
} from './auth/scheme.ts'

type FunctionType = 'QUERY' | 'ACTION' | 'PASSTHROUGH'

/** A page's position in the form that the app uses: a cursor text, a page number or offset, or several values by request parameter. */
export type Cursor = string | number | Record<string, unknown>

/** The fields of a connected account: the secrets of its scheme and the app's settings. */
export type Credentials = Readonly<Record<string, string>>

/** A request that is ready to send. Header names are in lower case; `body` is serialised and has a content-type header. */
export type OnwardRequest = { method: string; url: string; headers: Record<string, string>; body?: string | Uint8Array }

/** A file of a call with its content. */
export type FileContent = { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array }

/** The files of a call by parameter; several for a parameter that is a list. */
export type FileContents = Readonly<Record<string, FileContent | readonly FileContent[]>>

/** `problems` are `"<field path>: <problem>"` and never contain values of the caller or the account. */
export type BuiltRequest = { request: OnwardRequest } | { problems: string[] }

/**
 * The schema of a value inside a parameter: JSON Schema with one type, without `$ref` and `anyOf`. With `nullable`, as in OpenAPI 3.0, null is
 * valid too, whatever `enum` contains. `jsonSchemaOf` returns the same in JSON Schema alone.
 */
export type ValueSchema = {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  readonly nullable?: boolean
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
  readonly alternatives?: readonly Alternative[]
}

/**
 * One of the shapes that an object may have: it has no property that only other alternatives name. `values` are the values that show which
 * shape it is. Forms offer the choice and models read about it; a call is not refused for it.
 */
export type Alternative = {
  readonly title: string
  readonly properties: readonly string[]
  readonly values?: Readonly<Record<string, string | number | boolean>>
}

/** The shape of an output. Every value in it may be missing or null, and objects may have further properties. */
export type OutputSchema = {
  readonly type: ValueSchema['type']
  readonly description?: string
  readonly items?: OutputSchema
  readonly properties?: Readonly<Record<string, OutputSchema>>
}

export type ParameterSchema = ValueSchema & { readonly description: string }

export type Parameters = {
  type: 'object'
  properties: Record<string, ParameterSchema>
  required: string[]
  additionalProperties?: boolean
  alternatives?: readonly Alternative[]
}

/**
 * The function that lists the possible values of a parameter. `value` and `label` are JSON Pointers into one item of its output. `arguments` are
 * its arguments; a `{name}` in them is replaced by a parameter of the function that uses the source.
 */
export type Source = {
  readonly function: string
  readonly value: string
  readonly label: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** One field of an account. `kind` depends on its use in URLs: a whole URL, parts of a host, or any text. `lines` allows line breaks. */
export type CredentialField = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly secret: boolean
  readonly required: boolean
  readonly kind: 'text' | 'lines' | 'url' | 'host_part' | 'host_parts'
  /** Where a person finds the value. */
  readonly help?: string | undefined
  /** Set for a setting that only some schemes use: the types of these schemes. Other accounts do not have it. */
  readonly only?: readonly Scheme['type'][]
  readonly pattern?: string
  /** The value of a setting that an account does not have; the setting is not required then. */
  readonly default?: string
}

/** The function that identifies the owner of an account. `id` and `name` are JSON Pointers into its output. */
export type Identity = {
  readonly function: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly id?: string
  readonly name: string
}

/** The response headers that contain the remaining calls of a rate limit and the time of its reset. Names are in lower case. */
export type RateLimit = { readonly remaining?: string; readonly reset?: string; readonly unit: 'seconds' | 'epoch_seconds' | 'epoch_ms' }

/** A part of an app file that the vendor switches off or stops supporting on a day, such as `2027-04-30`. `source` is the vendor's page. */
/** Without `on`, the vendor has announced no end. */
export type Expiry = { readonly what: string; readonly on?: string; readonly source: string }

export type App = {
  /** Derived from the name, so it stays the same after a restart. */
  readonly id: number
  readonly name: string
  readonly title: string
  readonly description: string
  readonly icon_url: string
  readonly docs_url: string
  /** The hosts to which requests go. One that depends on the account has the name of a setting in braces. */
  readonly hosts: readonly string[]
  /** The vendor's page about where a person finds the credentials; empty if there is none. */
  readonly help_url: string
  /** Where a person finds the value of a field, by the name of the field. */
  readonly help: Readonly<Record<string, string>>
  readonly schemes: readonly Scheme[]
  /** The non-secret fields of an account. */
  readonly accountSettings: readonly CredentialField[]
  /** False when the app has no authentication and no settings. */
  readonly needsAccount: boolean
  readonly identity: Identity | null
  readonly rateLimit: RateLimit | null
  /** Whether requests have the header `traceparent`, if traces are on. */
  readonly sendsTraces: boolean
  /** Sorted by name. */
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
  /** The shape of the output; null if the app file does not declare it. */
  readonly output: OutputSchema | null
  /** The scopes that a token needs: each item is enough, with all of its scopes. Empty if the app file does not say. */
  readonly scopes: readonly (readonly string[])[]
  /** 12 hex digits that change with the behaviour or the description of the function. */
  readonly version: string
  readonly paged: boolean
  /**
   * The parameters that are files, or lists of files. A caller sends each file as `{url}` or `{base64}`, with `name` and `content_type`;
   * `request` takes their content.
   */
  readonly files: readonly string[]
  /** Whether the onward request may be sent again when the app asks to retry. Only a QUERY may. */
  readonly safeToRetry: boolean
  /** Whether a call can destroy data or take away money or access in a way that the app cannot undo. Pass-through requests can. */
  readonly destructive: boolean
  /** Whether a cursor is the whole address of a page. Then it decides what is requested, and the arguments do not. */
  readonly cursorIsAddress: boolean
  /** Returns problems with the shape of a cursor. A function without paging accepts no cursor. */
  checkCursor(cursor: Cursor): string[]
  /**
   * Builds the onward request, or returns problems that `parameters` cannot express. `args` must be valid against `parameters`. An absent
   * parameter takes its default.
   */
  request(args: Readonly<Record<string, unknown>>, credentials: Credentials, cursor: Cursor | null, files?: FileContents): BuiltRequest
  /** Whether `answer` always returns the body as the output, and no cursor. */
  readonly wholeOutput: boolean
  /** The other token with which requests of oauth2 accounts are signed; null for the access token. */
  readonly token: string | null
  /** Returns whether the body of a response with a 2xx status says that the call failed; null if no response of the function does. */
  readonly isError: ((body: unknown) => boolean) | null
  /**
   * Returns whether the body of an error contains a code that refuses the credentials; `url` is the URL that answered. Null if the app file
   * names no codes.
   */
  readonly isRefused: ((url: string, body: unknown) => boolean) | null
  /**
   * Reads the JSON body (or text) of a response. `cursor` is the cursor of the request; `headers` have lower-case names. The returned
   * cursor leads to the next page: null when there is none, undefined when the function has no paging. `nextPageProblem` says why an
   * announced next page cannot be requested. Outside 2xx the output is the whole body. A next page by URL is requested at the account's own
   * server; a relative URL requires `url`, the address of the request.
   */
  readResponse(
    status: number,
    body: unknown,
    cursor: Cursor | null,
    headers?: Readonly<Record<string, string>>,
    credentials?: Credentials,
    url?: string,
  ): { output: unknown; cursor: Cursor | null | undefined; nextPageProblem?: string }
}

/** A rejected function with its full name and the reasons; `function` is null when the whole app is rejected. */
export type RejectedFunction = { readonly app: string; readonly function: string | null; readonly problems: readonly string[] }

export type Catalog = {
  /** Sorted by name. */
  readonly apps: readonly App[]
  /** Sorted by name. */
  readonly functions: readonly AppFunction[]
  app(name: string): App | undefined
  fn(name: string): AppFunction | undefined
  /** Rejected functions and apps. Empty when loading throws instead. */
  readonly rejected: readonly RejectedFunction[]
}
