export type FunctionType = 'QUERY' | 'ACTION' | 'PASSTHROUGH'

/** The shape that is natural for the app: its own cursor text, a page or offset number, or several values by request parameter. */
export type Cursor = string | number | Record<string, unknown>

/** What a connected account holds, flat: the auth kind's secret fields and the app's own settings. */
export type Credentials = Readonly<Record<string, string>>

/** Ready to send. Header names are lower case; `body` is already serialised and its content-type is among the headers. */
export type OnwardRequest = { method: string; url: string; headers: Record<string, string>; body?: string }

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

/** Where a parameter's values come from: `value` and `label` are JSON Pointers into one item of that function's output. */
export type Source = { readonly function: string; readonly value: string; readonly label: string }

export type Auth =
  | { readonly type: 'none' }
  | { readonly type: 'api_key'; readonly in: 'header' | 'query'; readonly name: string; readonly prefix?: string }
  | { readonly type: 'bearer' }
  | { readonly type: 'basic' }

/** One field that connecting an account takes. `kind` follows from where base_url uses it: a whole URL, a part of the host, or any text. */
export type CredentialField = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly secret: boolean
  readonly kind: 'text' | 'url' | 'host_part'
  readonly pattern?: string
}

export type App = {
  /** Stable over restarts: made from the name. */
  readonly id: number
  readonly name: string
  readonly title: string
  readonly description: string
  readonly icon_url: string
  readonly docs_url: string
  readonly auth: Auth
  /** The non-secret fields of an account. */
  readonly accountSettings: readonly CredentialField[]
  /** False when there is nothing to connect: no authentication and no settings. */
  readonly needsAccount: boolean
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
  /** Problems with a cursor's shape for this function; [] when it fits. Of a function without pages every cursor is a problem. */
  checkCursor(cursor: Cursor): string[]
  /**
   * The onward request, or the problems that only show when it is built. `args` are already valid against `parameters`;
   * a parameter that is absent takes its default.
   */
  request(args: Readonly<Record<string, unknown>>, credentials: Credentials, cursor: Cursor | null): BuiltRequest
  /**
   * Reads the onward answer's JSON body (or text). `cursor` is the one that `request` was given. In the result it is the next
   * page's: null = no more, undefined = not paged. Outside 2xx the output is the whole body.
   */
  answer(status: number, body: unknown, cursor: Cursor | null): { output: unknown; cursor: Cursor | null | undefined }
}

export type Catalog = {
  /** By name. */
  readonly apps: readonly App[]
  /** By name. */
  readonly functions: readonly AppFunction[]
  app(name: string): App | undefined
  fn(name: string): AppFunction | undefined
}
