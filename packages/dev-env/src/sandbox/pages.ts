import type { FunctionFile } from '@onward/catalog'
import type { AppRequest } from './routes.ts'

type Page = { readonly body: unknown; readonly headers: Readonly<Record<string, string>> }

/** The parameters that say how many items a page has. */
const SIZES = ['limit', 'per_page', 'max_results', 'count']
const DEFAULT_SIZE = 100

/** Puts the page of `list` that a request asks for into `body`, where and how the app file says. */
export function pageOf(fn: FunctionFile, request: AppRequest, args: object, body: object, list: readonly unknown[]): Page {
  const { paging, response } = fn
  const size = Number(Object.entries(args).find(([name]) => SIZES.includes(name))?.[1] ?? DEFAULT_SIZE)
  const start = paging === undefined ? 0 : startOf(paging, request, list, size)
  const items = paging === undefined ? list : list.slice(start, start + size)
  const end = start + items.length
  const more = end < list.length
  if (response?.output === undefined) return { body: items, headers: {} }

  const page = structuredClone(body)
  if (items.length > 0 || response.optional !== true) put(page, response.output, items)
  if (paging === undefined) return { body: page, headers: {} }
  if ('more' in paging && paging.more !== undefined) put(page, paging.more, more)
  if (paging.style === 'cursor' && more) put(page, paging.next, String(end))
  if (paging.style === 'page' && paging.total_pages !== undefined) put(page, paging.total_pages, Math.ceil(list.length / size))
  return { body: page, headers: paging.style === 'link' && more ? { link: linkToNext(request) } : {} }
}

/** Returns the index of the first item of the page. */
function startOf(paging: NonNullable<FunctionFile['paging']>, { query, body }: AppRequest, list: readonly unknown[], size: number): number {
  const parameter = 'parameter' in paging ? paging.parameter : 'page'
  const position = paging.in === 'body' ? (body as Record<string, unknown> | undefined)?.[parameter] : (query.get(parameter) ?? undefined)
  if (position === undefined) return 0
  switch (paging.style) {
    case 'cursor':
      return Number(position)
    case 'page':
    case 'link':
      return (Number(position) - 1) * size
    case 'last_id':
      return list.findIndex((item) => (item as { id?: unknown }).id === position) + 1
    default:
      throw new Error(`the sandbox has no pages of the style ${paging.style}`)
  }
}

function put(target: object, pointer: string, value: unknown): void {
  const keys = pointer.split('/').slice(1)
  let node = target as Record<string, unknown>
  for (const key of keys.slice(0, -1)) {
    node[key] ??= {}
    node = node[key] as Record<string, unknown>
  }
  node[keys.at(-1) ?? ''] = value
}

function linkToNext({ host, path, query }: AppRequest): string {
  const next = new URLSearchParams(query)
  next.set('page', String(Number(query.get('page') ?? 1) + 1))
  return `<https://${host}${path}?${next}>; rel="next"`
}
