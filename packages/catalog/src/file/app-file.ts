import type { Auth, ParameterSchema } from '../types.ts'

/** An app file as it is written, after `app-file-schema.ts` has accepted it. */
export type AppFile = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly icon_url?: string
  readonly docs_url?: string
  readonly base_url: string
  readonly hosts?: readonly string[]
  readonly auth: Auth
  readonly headers?: Readonly<Record<string, string>>
  readonly account_settings?: Readonly<Record<string, SettingFile>>
  readonly body_type?: BodyType
  readonly passthrough?: boolean
  readonly functions: Readonly<Record<string, FunctionFile>>
}

export type BodyType = 'json' | 'form'

type SettingFile = { readonly title: string; readonly description: string; readonly pattern?: string }

export type FunctionFile = {
  readonly title: string
  readonly description: string
  readonly type: 'QUERY' | 'ACTION'
  readonly parameters?: { readonly properties?: Readonly<Record<string, ParameterSchema>>; readonly required?: readonly string[] }
  readonly request: RequestFile
  readonly response?: { readonly output?: string }
  readonly paging?: PagingFile
  readonly sources?: Readonly<Record<string, SourceFile>>
  readonly examples?: readonly string[]
}

type SourceFile = { readonly function: string; readonly value: string; readonly label: string }

export type RequestFile = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly body_type?: BodyType
}

type Place = { readonly in?: 'query' | 'body' }

export type PagingFile = Place &
  (
    | { readonly style: 'cursor'; readonly parameter: string; readonly next: string }
    | { readonly style: 'page'; readonly parameter: string; readonly first?: number; readonly total_pages?: string; readonly more?: string }
    | { readonly style: 'offset'; readonly parameter: string; readonly total?: string; readonly more?: string }
    | { readonly style: 'last_id'; readonly parameter: string; readonly id: string; readonly more?: string }
    | { readonly style: 'fields'; readonly parameters: Readonly<Record<string, string>> }
    | { readonly style: 'next_url'; readonly parameters: readonly string[]; readonly next: string }
  )
