import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspaceId } from '../../api/me.ts'
import { PageLink, type Target } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Failure, Group, type ReadError } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type DiffLine, diffOf } from './diff.ts'
import styles from './diff-view.module.css'
import type { Entry } from './entry.ts'
import { actorName, outcomeOf, subjectOf } from './entry-subject.ts'
import { actionName, Outcome, targetOf } from './entry-texts.tsx'
import { findEntry } from './read-audit.ts'
import { WORDS } from './words.ts'

const { audit: words } = WORDS

type NameOf = (key: string) => string

/** One entry of the audit log. A link can lead to an entry that the list has not loaded; it is then found by its id. */
export function AuditPanel({ id, entry, nameOf }: { id: string; entry: Entry | undefined; nameOf: NameOf }): ReactNode {
  if (entry !== undefined) return <OneEntry entry={entry} nameOf={nameOf} />
  return <FoundEntry id={id} nameOf={nameOf} />
}

function FoundEntry({ id, nameOf }: { id: string; nameOf: NameOf }): ReactNode {
  const workspaceId = useWorkspaceId()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-entry', workspaceId, id],
    queryFn: async ({ signal }) => (await findEntry(workspaceId, id, signal)) ?? null,
  })
  if (data === undefined) {
    if (error !== null) return <Failure title={words.entry} error={error as ReadError} busy={isFetching} retry={() => void refetch()} />
    return (
      <Skeleton>
        <Lines count={6} />
      </Skeleton>
    )
  }
  return data === null ? <Empty title={words.missing} help={words.missingHelp} /> : <OneEntry entry={data} nameOf={nameOf} />
}

function OneEntry({ entry, nameOf }: { entry: Entry; nameOf: NameOf }): ReactNode {
  const target = targetOf(entry)
  return (
    <Stack gap={5}>
      <Stack gap={1}>
        <Outcome entry={entry} />
        <p>{words.outcomeHelp[outcomeOf(entry)]}</p>
      </Stack>
      <Facts facts={factsOf(entry, nameOf)} />
      {target.length > 0 && (
        <Group title={words.parameters}>
          <Facts
            facts={target.map(([name, value]) => [
              <code key="name">{name}</code>,
              <TargetValue key="value" name={name} value={value} of={entry.target} />,
            ])}
          />
        </Group>
      )}
      <Changes entry={entry} />
      <Row gap={3}>
        <PageLink page="settings" path="audit" search={{ actor: entry.actor.id }}>
          {words.sameActor}
        </PageLink>
        <PageLink page="settings" path="audit" search={{ action: entry.action }}>
          {words.sameAction}
        </PageLink>
      </Row>
    </Stack>
  )
}

function factsOf(entry: Entry, nameOf: NameOf): (readonly [string, ReactNode])[] {
  const { facts } = words
  return [
    [facts.at, <Time key="at" at={entry.at} as="exact" />],
    [facts.actor, actorName(entry, nameOf)],
    [
      facts.action,
      <>
        {actionName(entry)} <code>{entry.action}</code>
      </>,
    ],
    [words.target, subjectOf(entry, nameOf)],
    ...(entry.code === null ? [] : [[facts.code, <code key="code">{entry.code}</code>] as const]),
    [facts.service, words.services[entry.service]],
    ...(entry.address === null ? [] : [[facts.address, <code key="address">{entry.address}</code>] as const]),
    ...(entry.user_agent === null ? [] : [[facts.browser, entry.user_agent] as const]),
    [facts.request, <Id key="request" value={entry.request_id} what={facts.request} full />],
  ]
}

/** Leads to what a change is about, where it has a page. */
function TargetValue({ name, value, of }: { name: string; value: string; of: Entry['target'] }): ReactNode {
  const link = linkOf(name, value, of)
  return link === undefined ? <Id value={value} what={name} full /> : <PageLink {...link}>{value}</PageLink>
}

function linkOf(name: string, value: string, { app_key: appKey }: Entry['target']): Target | undefined {
  const path = encodeURIComponent(value)
  switch (name) {
    case 'app_key':
      return { page: 'applications', path }
    case 'app':
      return { page: 'catalog', path }
    case 'call_id':
      return { page: 'calls', search: { call: value } }
    case 'user_id':
      return appKey === undefined ? undefined : { page: 'users', path: `${encodeURIComponent(appKey)}/${path}` }
    default:
      return undefined
  }
}

function Changes({ entry: { before, after } }: { entry: Entry }): ReactNode {
  const title = before == null ? words.set : after == null ? words.was : words.changes
  if (before == null && after == null) return <p>{words.noValues}</p>
  return (
    <Group title={title}>
      <DiffView before={before ?? null} after={after ?? null} />
      <details>
        <summary>{words.raw}</summary>
        <Stack gap={3}>
          {before != null && <JsonView value={before} label={words.before} />}
          {after != null && <JsonView value={after} label={words.after} />}
        </Stack>
      </details>
    </Group>
  )
}

/** What a change did, value by value: previous values in red and new ones in green, both marked with a sign. */
function DiffView({ before, after }: { before: unknown; after: unknown }): ReactNode {
  const lines = diffOf(before, after)
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <Line key={`${line.sign}${line.path}`} line={line} plain={before === null || after === null} />
      ))}
    </ul>
  )
}

function Line({ line: { sign, path, value }, plain }: { line: DiffLine; plain: boolean }): ReactNode {
  const isAdded = sign === '+' && !plain
  const isRemoved = sign === '-' && !plain
  return (
    <li className={cx(styles.line, isAdded && styles.added, isRemoved && styles.removed)}>
      <span aria-hidden="true" className={styles.sign}>
        {plain ? '' : sign}
      </span>
      {(isAdded || isRemoved) && <span className="hidden">{isAdded ? words.added : words.removed} </span>}
      <code>
        <span className={styles.path}>{path}</span>: {value}
      </code>
    </li>
  )
}
