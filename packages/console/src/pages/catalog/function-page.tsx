import type { readCatalogFunction as endpoint, ResponseOf } from '@onward/contract'
import { Blocks, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { publicUrl } from '../../api/base.ts'
import { functions } from '../../api/doors.ts'
import { readCatalogApp, readCatalogFunction } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { useApplicationField } from '../../parts/application-field.tsx'
import { useApplicationNames } from '../../parts/application-list.tsx'
import { type SnippetLanguage, snippetOf } from '../../parts/code-snippets.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Tag } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Page, Stack } from '../../ui/page.tsx'
import { Failure, Group } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import styles from './catalog.module.css'
import { exampleOf } from './example-of.ts'
import { FunctionHealth } from './function-health.tsx'
import { CATALOG } from './words.ts'

const { fn: words } = CATALOG

type Detail = ResponseOf<typeof endpoint>
type Parameter = { readonly name: string; readonly type: string; readonly required: boolean; readonly description: string }
type Format = keyof Detail['tools']

const COLOURS = { curl: 'bash', typescript: 'typescript', python: 'python' } as const

const columnsOf = (app: string): readonly Column<Parameter>[] => [
  { id: 'name', head: words.columns.name, width: 220, phone: 'title', cell: ({ name }) => <code>{name}</code> },
  { id: 'type', head: words.columns.type, width: 110, phone: 'line', cell: ({ type }) => type },
  { id: 'required', head: words.columns.required, width: 100, phone: 'named', cell: ({ required }) => (required ? words.yes : words.no) },
  {
    id: 'about',
    head: words.columns.about,
    width: 'grow',
    phone: 'line',
    cell: ({ description }) => <WithCode text={description} app={app} />,
  },
]

/** One function: what it takes and returns, how a program or a model calls it, and how its calls went. */
export function FunctionPage({ app, name }: { app: string; name: string }): ReactNode {
  const found = useRead(functions, readCatalogFunction, { params: { function_name: name } })
  const title = useRead(functions, readCatalogApp, { params: { app }, query: { workspace_id: useWorkspaceId() } })
  const path = [
    <PageLink key="catalog" page="catalog">
      {CATALOG.title}
    </PageLink>,
    <PageLink key="app" page="catalog" path={encodeURIComponent(app)}>
      {title.data?.title ?? app}
    </PageLink>,
  ]
  const { data, error } = found
  if (data !== undefined) return <Known detail={data} path={path} />
  return (
    <Page title={name} path={path}>
      {error === undefined ? (
        <Skeleton>
          <Lines count={8} />
        </Skeleton>
      ) : error.code === 'function_not_found' ? (
        <Empty icon={<Blocks />} title={words.notThere} help={CATALOG.notThereHelp} />
      ) : (
        <Failure title={name} error={error} busy={found.loading} retry={found.retry} />
      )}
    </Page>
  )
}

function Known({ detail, path }: { detail: Detail; path: readonly ReactNode[] }): ReactNode {
  const { function: fn, destructive, examples, output } = detail
  const { types } = CATALOG.functions
  return (
    <Page
      title={fn.title}
      logo={<AppLogo app={fn.app} size={32} />}
      path={path}
      badge={
        <>
          <Tag>{types[fn.type]}</Tag>
          {destructive && <Tag bad>{CATALOG.functions.destructive}</Tag>}
          <Id value={fn.name} what={words.id} full />
        </>
      }
      about={<WithCode text={fn.description} app={fn.app} />}
      actions={
        <>
          <PageLink page="calls" search={{ function: fn.name }} className={buttonClass()}>
            {words.calls}
          </PageLink>
          <PageLink page="playground" search={{ function: fn.name }} className={buttonClass('accent')}>
            <Play aria-hidden="true" />
            {words.try}
          </PageLink>
        </>
      }
    >
      <FunctionHealth name={fn.name} />
      <Group title={words.parameters}>
        <Table
          caption={words.parametersOf(fn.title)}
          columns={columnsOf(fn.app)}
          rows={parametersOf(fn)}
          rowKey={(each) => each.name}
          empty={{ title: words.noParameters, help: words.noParametersHelp }}
        />
      </Group>
      <Group title={words.result} about={output === null ? words.noResult : undefined}>
        {output !== null && (
          <Stack gap={3}>
            <JsonView value={exampleOf(output)} label={words.example} />
            <details>
              <summary>{words.schema}</summary>
              <JsonView value={output} label={words.schema} />
            </details>
          </Stack>
        )}
      </Group>
      {examples.length > 0 && (
        <Group title={words.examples}>
          <ul>
            {examples.map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </Group>
      )}
      <Program fn={fn} />
      <Tool tools={detail.tools} />
    </Page>
  )
}

/** A description, with what is between backticks as code. Functions of the same app lead to their pages. */
function WithCode({ text, app }: { text: string; app: string }): ReactNode {
  return text.split(/`([^`]+)`/).map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity
    const code = <code key={at}>{part}</code>
    if (at % 2 === 0) return part
    if (!part.startsWith(`${app}-`)) return code
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity
      <PageLink key={at} page="catalog" path={`${encodeURIComponent(app)}/${encodeURIComponent(part)}`}>
        {code}
      </PageLink>
    )
  })
}

function parametersOf({ parameters }: Detail['function']): Parameter[] {
  return Object.entries(parameters.properties).map(([name, { type, description }]) => ({
    name,
    type,
    description,
    required: parameters.required.includes(name),
  }))
}

/** Programs that make a call with each required argument, of the application that is chosen. An action gets one argument at least. */
function Program({ fn }: { fn: Detail['function'] }): ReactNode {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const { appKey, field } = useApplicationField(useApplicationNames().data ?? [])
  const { properties, required } = fn.parameters
  const shown = required.length > 0 || fn.type === 'QUERY' ? required : Object.keys(properties).slice(0, 1)
  const args = Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name])]))
  const call = { url: publicUrl(), appKey: appKey || 'your-app-key', userId: 'user-1', fn: fn.name, args }
  return (
    <Group title={words.code} about={words.codeAbout}>
      {field !== null && <div className={styles.application}>{field}</div>}
      <Code
        text={snippetOf(language, call)}
        language={COLOURS[language]}
        label={words.program}
        head={<Choices<SnippetLanguage> label={words.language} names={words.languages} value={language} onChange={setLanguage} />}
      />
    </Group>
  )
}

function Tool({ tools }: { tools: Detail['tools'] }): ReactNode {
  const [format, setFormat] = useState<Format>('openai')
  return (
    <Group
      title={words.tool}
      about={words.toolAbout}
      actions={<Choices<Format> label={words.format} names={words.formats} value={format} onChange={setFormat} />}
    >
      <Stack gap={2}>
        <JsonView value={tools[format]} label={words.formats[format]} />
      </Stack>
    </Group>
  )
}

type ChoicesProps<Value extends string> = {
  label: string
  names: Readonly<Record<Value, string>>
  value: Value
  onChange(value: Value): void
}

function Choices<Value extends string>({ label, names, value, onChange }: ChoicesProps<Value>): ReactNode {
  const choices = (Object.entries(names) as [Value, string][]).map(([each, text]) => ({ value: each, label: text }))
  return <Choice<Value> label={label} value={value} choices={choices} onChange={onChange} />
}
