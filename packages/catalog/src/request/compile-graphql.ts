import type { RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import { type Payload, writeJson } from './payload.ts'
import type { Input, Names } from './template.ts'
import { compileRoot } from './value-template.ts'

type Pages = Readonly<Record<string, unknown>>

/** Compiles a GraphQL request (GraphQL over HTTP, 5.4). What paging adds is among the variables. */
export function compileGraphql(file: RequestFile, paged: readonly string[], names: Names, at: Path, report: Report) {
  if (file.method !== 'POST') report([...at, 'method'], 'must be POST for GraphQL')
  for (const key of ['body', 'body_type', 'content_type'] as const) {
    if (file[key] !== undefined) report([...at, key], 'can not stand beside graphql')
  }
  for (const key of paged.filter((name) => Object.hasOwn(file.variables ?? {}, name))) report([...at, 'variables', key], 'is set by paging')
  const variables = compileRoot(file.variables ?? {}, names, [...at, 'variables'], report)
  return (input: Input, pages: Pages): Payload => writeJson({ query: file.graphql, variables: { ...variables(input), ...pages } })
}
