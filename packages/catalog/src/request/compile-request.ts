import type { Reserved } from '../auth/schemes.ts'
import type { RequestFile } from '../file/app-file.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import { compileHeaders } from '../template/header-template.ts'
import { isHeaderText } from '../template/header-text.ts'
import { type Names, own } from '../template/template.ts'
import { compilePath, compileQuery } from '../template/url-template.ts'
import type { AppFunction, BuiltRequest, FileContents } from '../types.ts'
import { compileBody } from './compile-body.ts'
import { contentsOf } from './files.ts'
import type { Frame } from './frame.ts'
import { refuseMalformed, signRequest } from './sign-request.ts'

/** Compiles a function's `request` to a function that builds onward requests. */
export function compileRequest(
  file: RequestFile,
  frame: Frame,
  shared: Names,
  paging: Paging | null,
  at: Path,
  report: Report,
): AppFunction['request'] {
  const names = {
    ...shared,
    base64: file.base64 ?? [],
    separators: file.separators ?? {},
  }
  checkSeparators(names, [...at, 'separators'], report)
  for (const name of names.base64) if (own(names.parameters, name)?.type !== 'string') report([...at, 'base64', name], 'is no text')
  const path = compilePath(file.path, names, [...at, 'path'], report, file.encode_twice)
  const taken = [...frame.reserved.queryKeys, ...(paging?.place === 'query' ? paging.parameters : [])]
  const query = compileQuery(file.query ?? {}, names, [...at, 'query'], report, taken)
  const headers = compileHeaders(file.headers ?? {}, frame.reserved.headers, names, [...at, 'headers'], report)
  const writeBody = compileBody(file, file.body_type ?? frame.bodyType, names, paging, at, report)
  checkQueryKeys(file, frame.reserved, paging, [...at, 'query'], report)

  return (args, account, cursor, files = {}): BuiltRequest => {
    const signer = frame.signerOf(account)
    if ('problems' in signer) return { problems: [...signer.problems] }
    const problems = fileProblems(names.files ?? [], names.required, args, files)
    const pages = (cursor === null ? paging?.atFirst : paging?.values(cursor)) ?? {}
    const input = { args: paging?.place === 'template' ? { ...args, ...pages } : args, account, files }
    const inQuery = paging?.place === 'query' ? Object.entries(pages).map(([key, value]) => [key, String(value)] as const) : []
    return refuseMalformed(args, () => {
      const base = frame.baseOf(account).fill(account, problems)
      const filled: Record<string, string> = {}
      frame.headers(input, filled, problems)
      headers(input, filled, problems)
      const next = paging?.address && cursor !== null ? paging.address(cursor, base, problems) : null
      const draft = {
        method: file.method,
        origin: base.origin,
        path: next ?? base.prefix + path(input, problems),
        query: next === null ? [...query(input, problems), ...inQuery] : [],
        headers: filled,
        body: writeBody(input, paging?.place === 'body' ? pages : {}, problems),
      }
      return problems.length > 0 ? { problems } : { request: signRequest(draft, signer, account) }
    })
  }
}

/** Only a list of values or an object has a separator. */
function checkSeparators({ parameters, files, separators }: Names, at: Path, report: Report): void {
  for (const name of Object.keys(separators ?? {})) {
    const schema = own(parameters, name)
    const plain = schema?.type === 'array' && schema.items?.type !== 'object' && schema.items?.type !== 'array'
    if ((!plain && schema?.type !== 'object') || files?.includes(name)) {
      report([...at, name], 'is neither a list of texts or numbers nor an object')
    }
  }
}

/** Only one of the request, paging and auth may set a query key. */
function checkQueryKeys(file: RequestFile, reserved: Reserved, paging: Paging | null, at: Path, report: Report): void {
  const taken = paging?.place === 'query' ? paging.parameters : []
  const keys = Object.keys(file.query ?? {})
  for (const key of keys.filter((item) => taken.includes(item))) report([...at, key], 'is set by paging')
  for (const key of [...keys, ...taken].filter((item) => reserved.queryKeys.has(item))) report([...at, key], 'is set by auth')
}

/** Returns problems with the files of a call. A file that is required or given needs its bytes and a valid content type. */
function fileProblems(names: readonly string[], required: readonly string[], args: object, files: FileContents): string[] {
  return names.flatMap((name) => {
    const contents = contentsOf(files, name)
    const listed = Array.isArray(own(files, name))
    if (contents.length === 0) return required.includes(name) || (Object.hasOwn(args, name) && !listed) ? [`${name}: has no content`] : []
    return contents.flatMap(({ contentType }, index) => {
      const typed = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(contentType) && isHeaderText(contentType)
      return typed ? [] : [`${name}${listed ? `[${index}]` : ''}.content_type: is not a media type`]
    })
  })
}
