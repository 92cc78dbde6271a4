import type { Alternative, Expiry, OutputSchema, ParameterSchema, RateLimit, Scheme } from '../types.ts'

/** The content of an app file that `app-file-schema.ts` accepts. */
export type AppFile = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly icon_url?: string
  readonly docs_url?: string
  readonly help_url?: string
  /** By the name of a field that a person enters. */
  readonly help?: Readonly<Record<string, string>>
  readonly base_url: string
  readonly hosts?: readonly string[]
  readonly auth: Scheme | readonly Scheme[]
  readonly headers?: Readonly<Record<string, string>>
  readonly account_settings?: Readonly<Record<string, SettingFile>>
  readonly body_type?: BodyType
  readonly passthrough?: boolean
  readonly send_traces?: boolean
  readonly identity?: IdentityFile
  readonly rate_limit?: RateLimit
  readonly expires?: readonly Expiry[]
  /** Applies to the responses of all functions. */
  readonly error?: ErrorFile
  readonly refused?: RefusedFile
  readonly functions: Readonly<Record<string, FunctionFile>>
}

type IdentityFile = {
  readonly function: string
  readonly name: string
  readonly id?: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

export type BodyType = 'json' | 'form' | 'multipart' | 'raw'

type SettingFile = { readonly title: string; readonly description: string; readonly pattern?: string; readonly default?: string }

export type FunctionFile = {
  readonly title: string
  readonly description: string
  readonly type: 'QUERY' | 'ACTION'
  readonly parameters?: {
    readonly properties?: Readonly<Record<string, ParameterSchema>>
    readonly required?: readonly string[]
    readonly alternatives?: readonly Alternative[]
  }
  readonly files?: Readonly<Record<string, FileParameter>>
  readonly safe_to_retry?: boolean
  /** Only for an ACTION. Without it, exactly the functions with the method DELETE are destructive. */
  readonly destructive?: boolean
  /** The values with which a call empties fields, by parameter. The function then has a parameter `clear` with the names. */
  readonly clear?: Readonly<Record<string, unknown>>
  /**
   * The scopes that a token needs, least powerful first: each entry alone is enough. An entry that is a list means all of its scopes together.
   */
  readonly scopes?: readonly (string | readonly string[])[]
  readonly request: RequestFile
  readonly response?: {
    readonly output?: string
    /** The app leaves an empty list out, or sends null: the output is then an empty list, if the object around it is there. */
    readonly optional?: boolean
    readonly error?: ErrorFile
  }
  /** The shape of what the function returns, as far as people use it. */
  readonly output?: OutputSchema
  readonly paging?: PagingFile
  readonly sources?: Readonly<Record<string, SourceFile>>
  readonly examples?: readonly string[]
}

/** `multiple`: a list of files. */
type FileParameter = { readonly title?: string; readonly description: string; readonly multiple?: boolean }

/**
 * Where a response with a 2xx status contains an error: the value at `pointer` is `equals`, or, without `equals`, neither missing, null, false,
 * an empty text nor an empty array.
 */
export type ErrorFile = { readonly pointer: string; readonly equals?: string | number | boolean }

/**
 * The codes with which the app refuses an account's credentials when the status is not 401: a response outside 2xx, or one with an `error`,
 * whose value at `pointer` is one of `values`.
 */
export type RefusedFile = { readonly pointer: string; readonly values: readonly (string | number)[] }

type SourceFile = {
  readonly function: string
  readonly value: string
  readonly label: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

export type RequestFile = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object is sent as JSON in ASCII. */
  readonly headers?: Readonly<Record<string, string | object>>
  /** One of the app's `hosts`, in place of the host of base_url. `path` is then the whole path. */
  readonly host?: string
  readonly body?: unknown
  readonly body_type?: BodyType
  /** Content type of a raw body. Without it, a file keeps its own content type. */
  readonly content_type?: string
  /** A GraphQL document, sent unchanged. `variables` may contain tags, as a body may. */
  readonly graphql?: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** One of the `other_tokens` of oauth2, sent in place of the access token. Accounts of the other schemes send what they always send. */
  readonly token?: string
  /** Parameters in `path` that are encoded twice when they would begin an empty segment once decoded: `/x` and `x//y`. */
  readonly encode_twice?: readonly string[]
  /** Texts that are sent in base64. */
  readonly base64?: readonly string[]
  /**
   * The texts between the items of lists, or the keys and values of objects, by parameter: `{ids: '|'}`. Such a value is one text in the
   * request.
   */
  readonly separators?: Readonly<Record<string, string>>
  /** A mail that the body has beside its JSON. */
  readonly mail?: MailFile
}

/** A header takes a text or a list of addresses. `attachments` is the tag of a file parameter. */
export type MailFile = {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly content_type?: string
  readonly attachments?: string
}

type Place = {
  /** `template`: the request contains the parameter as a tag. Only for styles with one parameter. */
  readonly in?: 'query' | 'body' | 'template'
  /** The parts of `request` that are different for all pages but the first. */
  readonly request?: Partial<Pick<RequestFile, 'path' | 'query' | 'body' | 'variables'>>
}

export type PagingFile = Place &
  (
    | {
        readonly style: 'cursor'
        readonly parameter: string
        readonly next: string
        /** How many items the app returns on all pages together. The cursor is the number of the items before its page. */
        readonly max_items?: number
        readonly more?: string
      }
    | {
        readonly style: 'page'
        readonly parameter: string
        readonly first?: number
        /** Whether the request for the first page has a number too. Some APIs return no pages without one. */
        readonly send_first?: boolean
        /** The last page that the app returns. */
        readonly max?: number
        /** How many items the app returns on all pages together. */
        readonly max_items?: number
        readonly total_pages?: string
        readonly more?: string
      }
    | {
        readonly style: 'offset'
        readonly parameter: string
        /** The number of the first item. */
        readonly first?: number
        /** The highest number that the app accepts. */
        readonly max?: number
        /** How many items the app returns on all pages together. */
        readonly max_items?: number
        readonly total?: string
        /** Where the response says how much to add to the offset. Without it, that is the number of items received. */
        readonly step?: string
        readonly more?: string
      }
    | {
        readonly style: 'last_id'
        readonly parameter: string
        readonly id: string
        /** Whether to take the lowest id of the page, because the app does not sort the page by id. */
        readonly lowest?: boolean
        readonly more?: string
      }
    | { readonly style: 'fields'; readonly parameters: Readonly<Record<string, string>> }
    | { readonly style: 'next_url'; readonly parameters?: readonly string[]; readonly next: string }
    | { readonly style: 'link'; readonly parameters: readonly string[] }
    | { readonly style: 'relay'; readonly connection: string; readonly variable?: string }
  )
