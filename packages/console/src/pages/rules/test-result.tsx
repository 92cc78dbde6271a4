import type { ResponseOf, testPolicy } from '@onward/contract'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { formatNumber } from '../../text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Facts, Stack } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { RESULT_TONES } from './rule-list.tsx'
import { RULES } from './words.ts'

const { test: words } = RULES

export type Tested = ResponseOf<typeof testPolicy>
type ByFunction = Tested['functions'][number]
type Example = Tested['examples'][number]
type Count = keyof typeof words.counts

type ResultProps = {
  appKey: string
  tested: Tested
  /** Whether the rules have changed since. */
  outdated: boolean
}

/** What rules would have said about the newest calls of the application. */
export function TestResult({ appKey, tested, outdated }: ResultProps): ReactNode {
  const { calls, since, without_arguments: noArguments, without_function: noFunction } = tested
  const shown: readonly Count[] = [
    'allowed',
    'asked',
    'denied',
    ...(noArguments > 0 ? (['without_arguments'] as const) : []),
    ...(noFunction > 0 ? (['without_function'] as const) : []),
  ]
  const about = since !== null && (
    <>
      {words.calls(calls)} {words.since} <Time at={since} as="short" />
    </>
  )
  return (
    <Group title={words.title} about={about || words.nothing}>
      <Stack gap={4}>
        {outdated && <Notice tone="warn">{words.outdated}</Notice>}
        {tested._reached !== null && <Notice tone="info">{words.reached}</Notice>}
        {noArguments > 0 && <Notice tone="warn">{words.withoutArguments(words.calls(noArguments))}</Notice>}
        {noFunction > 0 && <Notice tone="info">{words.withoutFunction(words.calls(noFunction))}</Notice>}
        {calls > 0 && (
          <>
            <Facts facts={shown.map((name) => [words.counts[name], formatNumber(tested[name])])} />
            <Table
              caption={words.byFunction}
              columns={functionColumns(shown)}
              rows={tested.functions}
              rowKey={({ function_name }) => function_name}
            />
          </>
        )}
        {tested.examples.length > 0 && (
          <Group title={words.examples}>
            <Table caption={words.examples} columns={exampleColumns(appKey)} rows={tested.examples} rowKey={({ call_id }) => call_id} />
          </Group>
        )}
      </Stack>
    </Group>
  )
}

function functionColumns(shown: readonly Count[]): readonly Column<ByFunction>[] {
  return [
    { id: 'function_name', head: words.fn, width: 'grow', phone: 'title', cell: ({ function_name }) => function_name },
    ...shown.map(
      (name): Column<ByFunction> => ({
        id: name,
        head: words.counts[name],
        width: 130,
        align: 'end',
        phone: 'named',
        cell: (row) => formatNumber(row[name]),
      }),
    ),
  ]
}

function exampleColumns(appKey: string): readonly Column<Example>[] {
  return [
    {
      id: 'function_name',
      head: words.fn,
      width: 'grow',
      phone: 'title',
      cell: ({ function_name, call_id }) => (
        <PageLink page="calls" search={{ app_key: appKey, call: call_id }}>
          {function_name}
        </PageLink>
      ),
    },
    { id: 'user_id', head: words.user, width: 'grow', phone: 'line', text: ({ user_id }) => user_id },
    {
      id: 'result',
      head: words.result,
      width: 110,
      phone: 'title',
      cell: ({ result }) => <Badge tone={RESULT_TONES[result]} text={RULES.results[result]} />,
    },
    { id: 'rule', head: words.by, width: 150, phone: 'line', cell: ({ rule }) => (rule === null ? words.byBuiltIn : RULES.rule(rule + 1)) },
    timeColumn({ id: 'started_at', head: words.at, phone: 'line', as: 'short', at: ({ started_at }) => started_at }),
  ]
}

function _nameOf({ function_name }: { readonly function_name: string }): string {
  return function_name
}
